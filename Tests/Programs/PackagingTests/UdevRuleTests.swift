import ProgramSupport
import TestSupport
import Testing

@Suite(
    "udev's rule for sound devices", .timeLimit(.minutes(2)),
    .enabled(if: Packaging.canMount, "needs root to make devices up, udev and acl"))
struct UdevRuleTests {
    /// A number that no user or group of the machine has.
    private static let number = "64123"
    /// The steps after which the rule applies and a card is present.
    private static let enforced = ["installed", "again", "plugged", "late"]

    @Test(
        """
        capture nodes become the service's alone, also after somebody sat at the machine, at a second event and for a \
        card that is plugged in; sound servers keep the card, and a removal returns all of it
        """)
    func nodes() async throws {
        let steps = try await steps()
        let before = try #require(steps["before"])
        for node in ["pcmC0D0c", "pcmC0D0p", "controlC0", "timer"] {
            let entry = try #require(before.first { $0.hasPrefix("/dev/snd/\(node) ") })
            #expect(entry.contains(" yes ") && entry.hasSuffix("uaccess"), "\(entry)")
        }
        #expect(before.isSuperset(of: ["sees nobody card0 yes", "opens nobody pcmC0D0c yes"]))

        for step in Self.enforced {
            let found = try #require(steps[step])
            let capture = "/dev/voicegate/snd/pcmC0D0c 0 \(Self.number) 660 no voicegate"
            #expect(found.contains(capture), "\(step): \(found)")
            #expect(
                found.filter { $0.hasPrefix("/dev/snd/") }
                    == before.filter { $0.hasPrefix("/dev/snd/") && !$0.contains("pcmC0D0c") },
                "\(step): nodes for playback, or of mixers")
            #expect(found.contains("sees nobody card0 yes"), "\(step): a sound server drops the card")
            #expect(found.contains("opens nobody pcmC0D0c no"), "\(step)")
            for node in ["pcmC0D0c", "controlC0", "timer"] {
                #expect(found.contains("opens voicegate \(node) yes"), "\(step): \(node)")
            }
        }
        #expect(steps["unplugged"]?.contains { $0.hasPrefix("/dev/") } == false)
        #expect(steps["removed"] == before)
        #expect(steps["closed"]?.contains("sees nobody card0 no") == true)
    }

    @Test(
        "PipeWire keeps a card whose capture node was moved, and drops one whose capture node it may not open",
        .enabled(if: Packaging.hasPipeWire, "needs PipeWire"))
    func pipeWire() async throws {
        let steps = try await steps()
        let seen = steps.mapValues { $0.contains("pipewire nobody card0 yes") }
        for step in ["before", "removed"] + Self.enforced { #expect(seen[step] == true, "\(step)") }
        for step in ["unplugged", "closed"] { #expect(seen[step] == false, "\(step)") }
    }

    /// The lines of each step, without its name.
    private func steps() async throws -> [String: Set<String>] {
        let (status, lines, errors) = try await Packaging.run([
            "/usr/bin/unshare", "--mount", Packaging.scripts + "/udev_rule", Packaging.root + "/Packaging", Self.number,
        ])
        #expect(status == 0, "\(errors)")
        let words = lines.map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        return Dictionary(grouping: words) { $0[0] }.mapValues { Set($0.map { $0[1] }) }
    }
}
