import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("A. The model: what ends by itself", .timeLimit(.minutes(5)))
struct ExpiryTests {
    private func microphone(_ service: ServiceUnderTest) async throws -> String? {
        let status = try service.curl("/v1/authorization")
        await status.end()
        let object = try JSONSerialization.jsonObject(with: Data(status.lines.joined().utf8)) as? [String: Any]
        return object?["microphone"] as? String
    }

    @Test(
        "A12 a grant that was unused for 90 days is notDetermined again, by the monotonic clock",
        .enabled(if: TimeNamespace.isAvailable, "needs root and a kernel with time namespaces"))
    func unused() async throws {
        let first = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        try first.registerCurl()
        let request = try first.curl("/v1/authorization/requests", ["-d", "{}"])
        await request.end()
        #expect(try await microphone(first) == "authorized")
        await first.stop()
        let later = try await ServiceUnderTest(
            continuing: first, within: TimeNamespace.command(daysLater: 60))
        #expect(try await microphone(later) == "authorized")
        await later.stop()
        let last = try await ServiceUnderTest(
            continuing: first, within: TimeNamespace.command(daysLater: 91))
        #expect(try await microphone(last) == "notDetermined")
        let expired = try await last.records().filter { $0.kind == "decision.expired" }
        #expect(expired.count == 2)
        #expect(expired.allSatisfy { $0.text("reason") == "unused" })
        #expect(try await last.run(["audit", "verify"]).status == 0)
    }
}
