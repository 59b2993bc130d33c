import Foundation
import TestSupport

extension ServiceUnderTest {
    /// A service for which another program is VoiceGate's own command, because it is beside the service: it sends what a test
    /// wants.
    ///
    /// - Returns: the service, and the command's path, which is there as long as the service.
    public static func withCommand(
        _ program: String, _ microphones: VirtualMicrophoneConfiguration? = nil, answers: [String]? = nil,
        options: [String] = []
    ) async throws -> (service: ServiceUnderTest, command: String) {
        let programs = try TemporaryFolder()
        for (file, name) in [
            (Programs.service, "voicegated"), (program, "voicegate"),
            (Programs.folder + "/voicegate-recognizer", "voicegate-recognizer"),
        ] {
            try FileManager.default.copyItem(atPath: file, toPath: programs.path + "/" + name)
        }
        let service = try await ServiceUnderTest(
            microphones, answers: answers, options: options,
            within: ["/bin/sh", "-c", #"shift; exec "$0" "$@""#, programs.path + "/voicegated"], keeping: programs)
        return (service, programs.path + "/voicegate")
    }
}
