import Foundation
import ProgramSupport
import TestSupport
import Testing

/// The stories of Tests/Transcripts, which `Tests/Support/Tools/run_transcripts.py` runs side by side.
@Suite("Transcripts", .timeLimit(.minutes(30)))
struct TranscriptTests {
    /// A line of what the runner prints.
    private struct Outcome: Decodable {
        let name: String
        /// What differs, if anything does.
        let problem: String?
    }

    private static let folder = Checkout.root.appending(path: "Tests/Transcripts").path
    private static let all =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".txt") }.sorted()
    /// Those whose files could be downloaded.
    private static let names = all.filter { missing($0).isEmpty }

    /// What a transcript needs and is not there.
    private static func missing(_ name: String) -> [String] {
        let text = (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("needs ") }.map {
            String($0.dropFirst("needs ".count))
        }
        .filter { !FileManager.default.fileExists(atPath: Checkout.root.appending(path: $0).path) }
    }

    /// One run for all of them.
    private static let outcomes = Task {
        let runner = Checkout.root.appending(path: "Tests/Support/Tools/run_transcripts.py").path
        let program = try RunningProgram(
            ["/usr/bin/python3", runner, "--json", "--programs", Programs.folder] + names.map { folder + "/" + $0 },
            environment: ["PATH": "/usr/bin:/bin"], isForeground: false)
        await program.end()
        return try program.lines.map { try JSONDecoder().decode(Outcome.self, from: Data($0.utf8)) }
    }

    @Test("the programs do what the transcript shows", arguments: names)
    func transcript(_ name: String) async throws {
        let outcome = try #require(try await Self.outcomes.value.first { $0.name == name }, "it did not run")
        if let problem = outcome.problem { Issue.record("\(name): \(problem)") }
    }

    @Test(
        "none of them is left out",
        .enabled(
            if: all.allSatisfy { missing($0).isEmpty }, "Tests/Support/Tools/setup-engine could not download an engine."
        ))
    func complete() { #expect(Self.names == Self.all) }

    @Test("there are transcripts")
    func some() { #expect(!Self.names.isEmpty) }
}
