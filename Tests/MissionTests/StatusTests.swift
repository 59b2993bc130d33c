import Authorization
import Foundation
import ProgramSupport
import Testing

@Suite("A. The model: statuses", .timeLimit(.minutes(5)))
struct StatusTests {
    @Test("A1 the four statuses, spelt as Apple spells them, for each of the two resources, by client and user")
    func fourStatuses() async throws {
        let service = try await ServiceUnderTest()
        let (status, output, _) = try await service.run(["status", "--json"])
        #expect(status == 0)
        let report = try JSONSerialization.jsonObject(with: Data(output.joined().utf8)) as? [String: Any]
        let reply = try #require(report?["authorization"] as? [String: Any])
        #expect(reply["client"] as? String == "io.voicegate.cli")
        #expect(reply["speechRecognition"] as? String == "notDetermined")
        #expect(reply["microphone"] as? String == "notDetermined")
        #expect(
            AuthorizationStatus.allCases.map(\.rawValue) == ["notDetermined", "restricted", "denied", "authorized"])
    }
}
