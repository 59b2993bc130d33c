import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Ctrl-C", .timeLimit(.minutes(5)))
struct CtrlCTests {
    private static let waiting: [(command: [String], shown: String)] = [
        (["status", "--follow"], "Nothing listens now."), (["status", "--bar", "polybar"], "\n"),
        (["audit", "records", "--follow", "--no-pager"], "log.genesis"), (["agent"], "Ctrl-C stops."),
        (["dashboard", "--no-open"], "Ctrl-C stops."),
        // A second question without an answer would have to wait.
        (["dictate"], "While using"),
        (["allow", "/bin/ls"], "[y/N]"), (["setup", "engine"], "[y/N]"),
    ]

    @Test("ends a command that follows, asks or waits with exit code 130, and changes nothing")
    func interrupted() async throws {
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]))
        for (command, shown) in Self.waiting {
            let program = try service.atTerminal(command)
            if shown == "\n" {
                _ = try await program.line { _ in true }
            } else {
                try await program.shows(shown)
            }
            try program.type("\u{3}")
            #expect(await program.end() == 130, "\(command): \(program.lines)")
        }
        #expect(try await service.records().allSatisfy { !$0.kind.hasPrefix("decision.g") })
    }
}
