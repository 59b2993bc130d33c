import Consent
import Foundation
import ProgramSupport
import Testing

extension ServiceUnderTest {
    /// Whatever leaves a record.
    func makeRecord() async throws {
        for command in ["mute", "unmute"] {
            let (status, _, errors) = try await run([command])
            #expect(status == 0, "\(errors)")
        }
    }

    /// What `voicegate audit checkpoint` says, with the keys that the service names.
    func checkpoint(_ arguments: [String] = []) async throws -> (note: SignedNote, keys: [NoteVerifier]) {
        let (status, output, errors) = try await run(["audit", "checkpoint", "--json"] + arguments)
        #expect(status == 0, "\(errors)")
        let line = Data(output.joined().utf8)
        let reply = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
        let note = try #require((reply["checkpoint"] as? String).flatMap { SignedNote(Data($0.utf8)) })
        return (note, (reply["keys"] as? [String] ?? []).compactMap(NoteVerifier.init(text:)))
    }
}

extension SignedNote {
    var checkpointSize: UInt64 { Checkpoint(text: text)?.size ?? 0 }
}
