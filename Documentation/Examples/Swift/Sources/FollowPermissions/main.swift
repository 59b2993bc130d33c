// Prints the statuses of this program until the microphone is denied.

import VoiceGateClient

let manager = AuthorizationManager()

following: for await change in manager.changes {
    switch change {
    case .state(let states, let isMuted), .changed(let states, let isMuted):
        if isMuted { print("The user muted every program.") }
        for (resource, state) in states.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            print("\(resource.rawValue): \(state.status.rawValue)")
            if resource == .microphone, state.status == .denied { break following }
        }
    case .gap:
        print("Some changes were missed. The current statuses follow.")
    case .unreachable(let error):
        print("\(error) Retrying.")
    }
}
