// Looks how this program stands, asks the person where nothing was decided, and says what came of it.

import VoiceGateClient

let manager = AuthorizationManager()

switch try await manager.checkAndRequestPermissions() {
case .authorized:
    print("You may speak.")
case .denied:
    print("You said no. To change that: voicegate settings")
case .restricted:
    print("The administrator of this machine does not allow it.")
case .notDetermined:
    print("Nothing was decided; you can be asked again.")
}
