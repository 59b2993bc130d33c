// Requests permission if it is not determined, and prints the result.

import VoiceGateClient

let manager = AuthorizationManager()

switch try await manager.checkAndRequestPermissions() {
case .authorized:
    print("You may speak.")
case .denied:
    print("You denied permission. To change that: voicegate settings")
case .restricted:
    print("The administrator of this machine does not allow it.")
case .notDetermined:
    print("No decision was made. You can be asked again.")
}
