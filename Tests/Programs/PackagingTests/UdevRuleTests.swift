import ProgramSupport
import TestSupport
import Testing

@Suite(
    "udev's rule for sound devices", .timeLimit(.minutes(2)),
    .enabled(if: Packaging.canMount, "needs root to make devices up, udev and acl"))
struct UdevRuleTests {
    /// A number that no group of the machine has.
    private static let group = "64123"

    @Test("capture nodes become the service's alone, also after somebody sat at the machine; playback stays as it was")
    func nodes() async throws {
        let (status, lines, errors) = try await Packaging.run([
            "/usr/bin/unshare", "--mount", Packaging.scripts + "/udev_rule",
            Packaging.root + "/Packaging/udev/72-voicegate.rules", Self.group,
        ])
        #expect(status == 0, "\(errors)")
        let found = Dictionary(
            lines.map { $0.split(separator: " ", maxSplits: 1).map(String.init) }.map { ($0[0], $0[1]) },
            uniquingKeysWith: { _, last in last })
        #expect(found["pcmC0D0c"] == "0 \(Self.group) 660 no :voicegate:")
        for name in ["pcmC0D0p", "controlC0"] {
            let entry = try #require(found[name])
            #expect(!entry.contains(Self.group), "\(name): \(entry)")
            #expect(entry.contains(" yes ") && entry.contains(":uaccess:"), "\(name): \(entry)")
        }
    }
}
