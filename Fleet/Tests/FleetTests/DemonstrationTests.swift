import FleetSupport
import Foundation
import Testing

@Suite("The demonstration", .needsPostgreSQL, .timeLimit(.minutes(10)))
struct DemonstrationTests {
    private static let clip =
        "/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-0930.wav"

    @Test(
        "Three machines dictate, all verify, and a log that is put back and a killed machine are shown; nothing stays",
        .enabled(
            if: FileManager.default.fileExists(atPath: clip),
            "pocketsphinx-testdata is not installed: Scripts/setup run"),
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: Command.programs + "/voicegated"),
            "The main package is not built: Scripts/build-debug"))
    func wholly() async throws {
        let shown = try await Command.run([
            "/usr/bin/env", "VOICEGATE_PROGRAMS=\(Command.programs)", "/bin/bash", Command.checkout + "/Scripts/fleet",
        ])
        #expect(shown.status == 0, "\(shown)")
        #expect(shown.text.matches(of: #/\n(amber|birch|cedar): [a-z' ]{20}/#).count == 3)
        #expect(shown.text.contains("3 of 3 machines verify."))
        #expect(shown.text.contains(#/\nbirch +default +rolledBack /#))
        #expect(shown.text.contains(#/\ncedar +default +silent /#))
        let folder = try #require(shown.text.firstMatch(of: #/, in (/tmp/vg-fleet\.\w+)\./#)?.1)
        #expect(!FileManager.default.fileExists(atPath: String(folder)))
    }
}
