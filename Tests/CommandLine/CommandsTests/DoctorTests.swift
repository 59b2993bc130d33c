import Authorization
import Foundation
import Glibc
import LinuxSystem
import Speech
import TestSupport
import Testing
@testable import Commands
@testable import SocketAPI

@Suite("The doctor's checks")
struct DoctorTests {
    private static let folder = FolderFact(path: "/run/user/1000/voicegate", owner: 1000, mode: 0o700)

    /// All is well.
    private func facts() -> Facts {
        Facts(
            user: 1000, timeZone: .gmt, version: "1.0",
            service: .running(HealthReply(version: "1.0", mode: .advisory, processIdentifier: 7, muted: false)),
            socketFolder: Self.folder, stateFolder: Self.folder,
            diagnosis: DiagnosisReply(
                stateDirectory: "/s", clientsDirectory: "/c",
                policy: DiagnosisReply.Policy(
                    folder: "/p", files: [], broken: [:], rules: 0, rulesInForce: 0, nextChange: nil, timeZone: "GMT"),
                manifests: [:], agent: .caller, modelFolder: "/m"), mute: MuteReply(muted: false),
            verification: nil, devices: [CaptureDevice(name: "default", description: "", problem: nil)],
            modelProblem: nil, captureUse: CaptureUse(nodes: ["pcmC0D0c"], holders: [], hidden: 0))
    }

    private func findings(_ check: Check, _ change: (inout Facts) -> Void = { _ in }) -> [Finding] {
        var facts = facts()
        change(&facts)
        return check.look(facts)
    }

    @Test("kernel features that the sandboxes lack are a note with the consequence, not a call to act")
    func sandbox() {
        let lacks: [(SandboxSupport, [String])] = [
            (SandboxSupport(landlock: 7, hasNamespaces: true), []),
            (SandboxSupport(landlock: 2, hasNamespaces: true), ["ABI 2"]),
            (SandboxSupport(landlock: 0, hasNamespaces: false), ["no Landlock", "no separate namespaces"]),
        ]
        for (support, words) in lacks {
            let findings = findings(.sandbox) { $0.sandbox = support }
            #expect(findings.allSatisfy { $0.verdict == (words.isEmpty ? .well : .note) })
            #expect(findings.count == max(1, words.count))
            for (finding, word) in zip(findings, words) { #expect(finding.message.contains(word)) }
        }
        #expect(findings(.sandbox).map(\.verdict) == [.unknown])
    }

    @Test("a configuration that no service can start with is named, with the next step")
    func configuration() throws {
        let finding = try #require(
            findings(.service) {
                $0.service = .notRunning
                $0.configurationProblem = "config.yaml, line 2: “devcie” is unknown."
            }.first)
        #expect(finding.verdict == .attention)
        #expect(finding.message == "The service cannot start. config.yaml, line 2: “devcie” is unknown.")
        #expect(finding.nextStep == "Correct the file, then: voicegate service start")
    }

    @Test("external anchors of the log are named, with the records that could still be rewritten unnoticed")
    func anchors() throws {
        func findings(_ anchors: DiagnosisReply.Anchors?) -> [Finding] {
            self.findings(.anchors) { $0.diagnosis?.anchors = anchors }.filter { $0.verdict != .well }
        }
        let none = try #require(findings(.init(size: 40, signed: 40)).first)
        #expect(none.message.contains("Nothing outside") && none.message.contains("the 40 of 40 records"))
        #expect(none.nextStep?.contains("--publish") == true)
        let some = findings(
            .init(
                size: 40, signed: 40, published: 30, witnessed: 35, quorum: "2 of 3 witnesses", journal: 38,
                journalLine: "38 7h2k-9qxm-4abt-0zde lusab"))
        #expect(some.count == 1)
        for words in [
            "published by your own word (30)", "2 of 3 witnesses (35)",
            "root can change, last “38 7h2k-9qxm-4abt-0zde lusab” (38)",
            "last 2 of 40",
        ] { #expect(some[0].message.contains(words), "\(some[0].message)") }
        #expect(findings(.init(size: 4, signed: 4, published: 4))[0].message.contains("All 4 records"))
        #expect(findings(.init(size: 4, signed: 4, quorum: "1 of 1 witnesses")).count == 2)
        #expect(findings(.init(size: 4, signed: 4, journal: 0, journalProblem: "gone")).first?.verdict == .attention)
        #expect(findings(nil).map(\.verdict) == [.note])
    }

    @Test("how far the last checkpoint is behind is shown, with the reason if it cannot be written")
    func behind() {
        let all = findings(.anchors) { $0.diagnosis?.anchors = .init(size: 40, signed: 40) }
        #expect(all.first?.verdict == .well && all.first?.message.contains("40 of 40 records") == true)
        let behind = findings(.anchors) {
            $0.diagnosis?.anchors = .init(
                size: 40, signed: 38, signedUntil: "2026-01-12T21:00:00.000Z", signingProblem: "No space left.")
        }
        #expect(behind.first?.verdict == .attention)
        for words in ["38 records (up to 2026-01-12 21:00:00)", "the 2 after them", "No space left."] {
            #expect(behind.first?.message.contains(words) == true, "\(behind)")
        }
    }

    @Test("on a good system nothing needs attention, and the limits of advisory mode are stated")
    func well() {
        let findings = Check.findings(facts())
        #expect(!findings.contains { $0.verdict == .attention })
        #expect(findings.first?.check == "mode")
        #expect(findings.first?.verdict == .note)
        #expect(findings.first?.message.contains("could open the microphone themselves") == true)
        #expect(Set(findings.map(\.check)) == Set(Check.all.map(\.name)))
        #expect(self.findings(.recognizer).map(\.message) == ["PocketSphinx's model is in /m."])
    }

    @Test("without the service its facts are unknown, and the next step starts it")
    func notRunning() {
        var facts = facts()
        facts.service = .notRunning
        (facts.diagnosis, facts.stateFolder, facts.devices, facts.mute) = (nil, nil, nil, nil)
        let findings = Check.findings(facts)
        #expect(findings.filter { $0.verdict == .attention }.map(\.check) == ["service"])
        #expect(findings.contains { $0.check == "policy" && $0.verdict == .unknown })
        #expect(findings.contains { $0.check == "mute" && $0.verdict == .unknown })
    }

    @Test("every finding that needs attention has a next step")
    func nextSteps() {
        var facts = facts()
        facts.service = .running(HealthReply(version: "0.9", mode: .advisory, processIdentifier: 7, muted: true))
        facts.mute = MuteReply(muted: true, mutedBy: MutedBy(scope: .user))
        facts.socketFolder = FolderFact(path: "/tmp/v", owner: 1000, mode: 0o755)
        facts.stateFolder = FolderFact(path: "/tmp/s", owner: 0, mode: 0o700)
        facts.diagnosis?.policy.broken = ["/p/a.yaml": "Line 1: no."]
        facts.diagnosis?.manifests = ["/c/it's a.plist": "It is none."]
        facts.diagnosis?.agent = .script
        facts.devices = []
        facts.modelProblem = "It is missing."
        facts.captureUse = CaptureUse(
            nodes: ["pcmC0D0c"],
            holders: [CaptureUse.Holder(process: 9, name: "arecord", nodes: ["pcmC0D0c"])], hidden: 3)
        let attention = Check.findings(facts).filter { $0.verdict == .attention }
        #expect(
            attention.map(\.check) == [
                "service", "socketFolder", "stateFolder", "policy", "manifests", "mute", "agent", "recognizer",
                "devices", "otherPrograms",
            ])
        #expect(attention.allSatisfy { $0.nextStep?.isEmpty == false })
        #expect(
            attention.first { $0.check == "manifests" }?.nextStep == #"voicegate manifest lint '/c/it'\''s a.plist'"#)
        #expect(attention.first { $0.check == "socketFolder" }?.message.contains("755") == true)
    }

    @Test("a mute is that of this user, whether or not it is everyone's, and the next step ends it")
    func mute() {
        func found(_ scope: MuteScope.Kind?, everyone: Bool) -> [Finding] {
            findings(.mute) {
                $0.service = .running(
                    HealthReply(version: "1.0", mode: .enforced, processIdentifier: 7, muted: everyone))
                $0.mute = MuteReply(muted: scope != nil, mutedBy: scope.map { MutedBy(scope: $0) })
            }
        }
        let own = found(.user, everyone: false)
        #expect(own.map(\.verdict) == [.attention] && own.map(\.nextStep) == ["voicegate unmute"])
        let all = found(.everyone, everyone: true)
        #expect(all.map(\.message) == ["Everything is muted for all users: nothing listens."])
        #expect(all.map(\.nextStep) == ["voicegate unmute --everyone"])
        #expect(found(nil, everyone: false).map(\.verdict) == [.well])
    }

    @Test("VoiceGate's service does not count as another program, and unreadable processes are reported")
    func others() {
        let own = CaptureUse.Holder(process: 7, name: "voicegated", nodes: ["pcmC0D0c"])
        let alone = findings(.otherPrograms) {
            $0.captureUse = CaptureUse(nodes: ["pcmC0D0c"], holders: [own], hidden: 0)
        }
        #expect(alone.map(\.verdict) == [.well])
        let hidden = findings(.otherPrograms) {
            $0.captureUse = CaptureUse(nodes: ["pcmC0D0c"], holders: [], hidden: 12)
        }
        #expect(hidden.map(\.verdict) == [.unknown])
        // The folder of the package can be read by root only.
        let closed = findings(.otherPrograms) {
            $0.captureUse = CaptureUse(nodes: [], holders: [], hidden: 12, hasAllNodes: false)
        }
        #expect(closed.map(\.verdict) == [.unknown])
    }

    @Test("an effective policy is a note with its next change in the policy's time zone")
    func policy() throws {
        let next = try Date("2026-01-12T21:00:00Z", strategy: .iso8601)
        let found = findings(.policy) {
            $0.diagnosis?.policy = DiagnosisReply.Policy(
                folder: "/p", files: ["/p/night.yaml"], broken: [:], rules: 2, rulesInForce: 1, nextChange: next,
                timeZone: "Europe/Berlin")
        }
        #expect(
            found.map(\.message) == [
                "1 of 2 rules restrict now; that changes at 2026-01-12 22:00:00 (Europe/Berlin). From: /p/night.yaml."
            ])
    }

    @Test("open files are read from /proc, and unreadable processes are counted")
    func captureUse() throws {
        let folder = try TemporaryFolder()
        let (processes, devices) = (folder.path + "/proc", folder.path + "/snd")
        for name in ["snd/pcmC0D0c", "snd/pcmC0D0p", "snd/controlC0", "snd/timer"] { try folder.write("", to: name) }
        try folder.write("arecord\n", to: "proc/41/comm")
        try folder.write("x", to: "proc/41/cmdline")
        try folder.write("player\n", to: "proc/42/comm")
        for (process, node) in [("41", "pcmC0D0c"), ("42", "pcmC0D0p"), ("42", "controlC0")] {
            try FileManager.default.createDirectory(
                atPath: processes + "/\(process)/fd", withIntermediateDirectories: true)
            symlink(devices + "/" + node, processes + "/\(process)/fd/\(node)")
        }
        // A node that was moved while it was open, in a folder that cannot be read.
        try folder.write("pipewire\n", to: "proc/44/comm")
        try FileManager.default.createDirectory(atPath: processes + "/44/fd", withIntermediateDirectories: true)
        symlink(folder.path + "/private/pcmC1D0c", processes + "/44/fd/5")
        // No folder of open files: what another user's process looks like; and a kernel thread, which has no command.
        try folder.write("x", to: "proc/43/cmdline")
        try folder.write("", to: "proc/2/cmdline")
        try folder.write("", to: "proc/uptime")
        let use = CaptureUse(processes: processes, folders: [devices, folder.path + "/private"])
        #expect(use.nodes == ["pcmC0D0c"])
        #expect(
            use.holders == [
                CaptureUse.Holder(process: 41, name: "arecord", nodes: ["pcmC0D0c"]),
                CaptureUse.Holder(process: 44, name: "pipewire", nodes: ["pcmC1D0c"]),
            ])
        #expect(use.hidden == 1)
        #expect(use.hasAllNodes)
    }

    @Test("this process's own open files are found in the real /proc")
    func realProcess() throws {
        let folder = try TemporaryFolder()
        let node = try folder.write("", to: "snd/pcmC9D9c")
        let descriptor = open(node, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let use = CaptureUse(folders: [folder.path + "/snd"])
        #expect(use.holders.map(\.process) == [getpid()])
        #expect(use.holders.first?.nodes == ["pcmC9D9c"])
    }

    @Test("a folder's owner and mode are read, and a link to a folder is not a folder")
    func folders() throws {
        let folder = try TemporaryFolder()
        #expect(FolderFact(path: folder.path).problem(for: geteuid()) == nil)
        chmod(folder.path, 0o750)
        #expect(FolderFact(path: folder.path).problem(for: geteuid())?.nextStep.hasPrefix("chmod 700") == true)
        chmod(folder.path, 0o700)
        symlink(folder.path, folder.path + "/link")
        #expect(FolderFact(path: folder.path + "/link").problem(for: geteuid()) != nil)
        #expect(!FolderFact(path: folder.path + "/none").isThere)
    }
}

@Suite("The doctor's checks of enforcement")
struct EnforcementTests {
    private static let node = CaptureNode(
        path: "/dev/voicegate/snd/pcmC0D0c", owner: 0, group: 990, mode: 0o660, accessList: AccessList(bytes: []),
        isTaggedUaccess: false, readers: [])

    private static let whole = EnforcementFacts(
        group: EnforcementFacts.ServiceGroup(identifier: 990, members: []),
        folder: FolderFact(path: "/dev/voicegate/snd", owner: 0, mode: 0o750), nodes: [node], hasAllNodes: true,
        hasUdevRule: true, hasPolkitAction: true, hasPkcheck: true,
        socketFolder: FolderFact(path: "/run/voicegate", owner: 0, mode: 0o755), socketOwner: 0, isSocketEnabled: true,
        openPaths: OpenPaths())

    private func verdicts(_ change: (inout EnforcementFacts) -> Void = { _ in }) -> [String: Finding.Verdict] {
        var enforcement = Self.whole
        change(&enforcement)
        let findings = findings(enforcement)
        #expect(findings.filter { $0.verdict == .attention }.allSatisfy { $0.nextStep?.isEmpty == false })
        return Dictionary(findings.map { ($0.check, $0.verdict) }, uniquingKeysWith: { first, _ in first })
    }

    private func findings(_ enforcement: EnforcementFacts) -> [Finding] {
        Check.enforcement.look(
            Facts(
                user: 1000, timeZone: .gmt, version: "1", service: .notRunning,
                socketFolder: enforcement.socketFolder, captureUse: CaptureUse(nodes: [], holders: [], hidden: 0),
                enforcement: enforcement))
    }

    private func node(_ change: (CaptureNode) -> CaptureNode) -> [String: Finding.Verdict] {
        verdicts { $0.nodes = [change(Self.node)] }
    }

    private static func with(
        path: String = node.path, owner: UInt32 = 0, group: UInt32 = 990, mode: UInt32 = 0o660,
        list: AccessList? = AccessList(bytes: []),
        tag: Bool? = false, readers: [String]? = []
    ) -> CaptureNode {
        CaptureNode(
            path: path, owner: owner, group: group, mode: mode, accessList: list, isTaggedUaccess: tag,
            readers: readers)
    }

    @Test("on a complete installation nothing needs attention and nothing is unknown")
    func whole() {
        let all = verdicts()
        #expect(Set(all.keys) == ["udevRule", "nodes", "group", "socket", "polkitAction", "units", "openPaths"])
        #expect(all.values.allSatisfy { $0 == .well })
    }

    @Test("each missing part is found, and no other")
    func missing() {
        func broken(_ change: (inout EnforcementFacts) -> Void) -> Set<String> {
            Set(verdicts(change).filter { $0.value == .attention }.keys)
        }
        #expect(broken { $0.hasUdevRule = false } == ["udevRule"])
        #expect(broken { $0.group = nil } == ["group", "nodes"])
        #expect(broken { $0.group = .init(identifier: 990, members: ["bob"]) } == ["group"])
        #expect(broken { $0.hasPolkitAction = false } == ["polkitAction"])
        #expect(broken { $0.isSocketEnabled = false } == ["units"])
        let folder = "/dev/voicegate/snd"
        #expect(broken { $0.folder = FolderFact(path: folder, owner: 0, mode: 0o755) } == ["nodes"])
        #expect(broken { $0.folder = FolderFact(path: folder, owner: 1000, mode: 0o750) } == ["nodes"])
        #expect(broken { $0.folder = FolderFact(path: folder, isThere: false, owner: 0, mode: 0) } == ["nodes"])
        #expect(broken { $0.socketOwner = nil } == ["socket"])
        #expect(broken { $0.socketOwner = 1000 } == ["socket"])
        #expect(broken { $0.socketFolder = FolderFact(path: "/run/voicegate", owner: 0, mode: 0o777) } == ["socket"])
        #expect(verdicts { $0.hasPkcheck = false }["polkitAction"] == .note)
        #expect(verdicts { $0.isSocketEnabled = nil }["units"] == .unknown)
    }

    @Test("enforcement that is switched off is a note alone")
    func off() {
        #expect(
            verdicts {
                $0.hasUdevRule = false
                $0.isSocketEnabled = false
            } == ["enforcement": .note])
    }

    @Test("a user who cannot read the folder of capture devices learns that it is closed, and that root sees more")
    func closedFolder() {
        let found = verdicts {
            $0.nodes = []
            $0.hasAllNodes = false
        }
        #expect(found["nodes"] == .well && found["users"] == .unknown)
        #expect(verdicts { $0.nodes = [] }["nodes"] == .note)
    }

    @Test("each path that does not pass ALSA is named if this machine has it, and needs no attention")
    func openPaths() throws {
        func messages(_ paths: OpenPaths) -> [String] {
            var facts = Self.whole
            facts.openPaths = paths
            return findings(facts).filter { $0.check == "openPaths" && $0.verdict != .well }
                .map { "\($0.verdict): \($0.message)" }
        }
        let folder = try TemporaryFolder()
        #expect(OpenPaths.gather(root: folder.path) == OpenPaths(isTracingOpen: true))
        try folder.write("1\n", to: "proc/sys/kernel/yama/ptrace_scope")
        #expect(messages(.gather(root: folder.path)).isEmpty)

        try folder.write("0\n", to: "proc/sys/kernel/yama/ptrace_scope")
        try folder.write("", to: "sys/class/bluetooth/hci0")
        try folder.write("pulseaudio\n", to: "proc/71/comm")
        try folder.write(
            "7f00 r-xp 0 08:01 5 /usr/lib/pulse-16.1/modules/module-rtp-recv.so\n7f01 r-xp 0 08:01 6 /usr/lib/a.so\n",
            to: "proc/71/maps")
        try folder.write("pipewire\n", to: "proc/72/comm")
        try folder.write("bash\n", to: "proc/73/comm")
        let paths = OpenPaths.gather(root: folder.path)
        #expect(
            paths.soundServers == [
                OpenPaths.SoundServer(process: 71, name: "pulseaudio", networkModules: ["module-rtp-recv.so"]),
                OpenPaths.SoundServer(process: 72, name: "pipewire", networkModules: nil),
            ])
        let found = messages(paths)
        #expect(found.count == 5)
        #expect(found.first?.hasPrefix("note: Enforced for ALSA; a Bluetooth microphone is open") == true)
        #expect(found.contains { $0.hasPrefix("note: pulseaudio (process 71)") && $0.contains("module-rtp-recv.so") })
        #expect(found.contains { $0.hasPrefix("unknown: ") && $0.contains("pipewire (process 72)") })
        #expect(found.contains { $0.contains("monitors of pipewire, pulseaudio") })
        #expect(found.contains { $0.contains("each other's memory") })
    }

    @Test("each way to open a device without the service is found, and unreadable facts are unknown")
    func nodes() throws {
        let list = try #require(AccessList(bytes: Self.list([(2, 6, 1000), (16, 7, .max)])))
        #expect(node { _ in Self.with(owner: 1000) }["nodes"] == .attention)
        #expect(node { _ in Self.with(group: 29) }["nodes"] == .attention)
        #expect(node { _ in Self.with(mode: 0o664) }["nodes"] == .attention)
        // Sound servers drop its card.
        #expect(node { _ in Self.with(path: "/dev/snd/pcmC0D0c") }["nodes"] == .attention)
        #expect(node { _ in Self.with(list: list) }["acl"] == .attention)
        #expect(node { _ in Self.with(list: nil) }["acl"] == .unknown)
        #expect(node { _ in Self.with(tag: true) }["uaccess"] == .attention)
        #expect(node { _ in Self.with(tag: nil) }["uaccess"] == .unknown)
        #expect(node { _ in Self.with(readers: ["bob"]) }["users"] == .attention)
        #expect(node { _ in Self.with(readers: nil) }["users"] == .unknown)
    }

    /// linux/posix_acl_xattr.h
    private static func list(_ entries: [(UInt16, UInt16, UInt32)], version: UInt32 = 2) -> [UInt8] {
        func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        return bytes(version) + entries.flatMap { bytes($0.0) + bytes($0.1) + bytes($0.2) }
    }

    @Test("an access list yields named readers within its mask, without owner, group and others")
    func accessLists() throws {
        let entries: [(UInt16, UInt16, UInt32)] = [
            (1, 6, .max), (2, 6, 1000), (2, 2, 1001), (4, 6, .max), (8, 4, 29), (16, 6, .max), (32, 0, .max),
        ]
        let found = try #require(AccessList(bytes: Self.list(entries)))
        #expect(found.readers.map(\.identifier) == [1000, 29])
        #expect(found.readers.map(\.kind) == [.user, .group])
        let masked = try #require(AccessList(bytes: Self.list([(2, 6, 1000), (16, 2, .max)])))
        #expect(masked.readers.isEmpty)
    }

    @Test("an access list that is truncated at any length is rejected")
    func malformed() {
        let whole = Self.list([(1, 6, .max), (2, 6, 1000), (16, 6, .max)])
        for length in 1..<whole.count where length % 8 != 4 {
            #expect(AccessList(bytes: whole.prefix(length)) == nil, "\(length)")
        }
        #expect(AccessList(bytes: Self.list([], version: 3)) == nil)
        #expect(AccessList(bytes: [UInt8]()) != nil)
    }
}
