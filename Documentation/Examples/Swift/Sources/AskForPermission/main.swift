// Requests what dictation needs, and prints the result.

import Foundation
import VoiceGateClient

do {
    try await AuthorizationManager().checkAndRequestPermissions()
    print("You may speak.")
} catch {
    // What happened and what to do next, in the user's language.
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
