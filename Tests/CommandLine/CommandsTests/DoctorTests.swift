import Foundation
import Glibc
import SocketAPI
import Speech
import TestSupport
import Testing

@testable import Commands

@Suite("The doctor's checks")
struct DoctorTests {
    private static let folder = FolderFact(path: "/run/user/1000/voicegate", owner: 1000, mode: 0o700)

    /// All is well.
    private func facts() -> Facts {
        Facts(
            user: 1000, now: Date(timeIntervalSince1970: 0), timeZone: .gmt, version: "1.0",
            service: .running(HealthReply(version: "1.0", mode: .advisory, processIdentifier: 7, muted: false)),
            socketFolder: Self.folder, stateFolder: Self.folder,
            diagnosis: DiagnosisReply(
                stateDirectory: "/s", clientsDirectory: "/c",
                policy: DiagnosisReply.Policy(
                    folder: "/p", files: [], broken: [:], rules: 0, rulesInForce: 0, nextChange: nil, timeZone: "GMT"),
                manifests: [:], agent: .caller, modelFolder: "/m"),
            verification: nil, devices: [CaptureDevice(name: "default", description: "", problem: nil)],
            modelProblem: nil, captureUse: CaptureUse(nodes: ["pcmC0D0c"], holders: [], hidden: 0))
    }

    private func findings(_ check: Check, _ change: (inout Facts) -> Void = { _ in }) -> [Finding] {
        var facts = facts()
        change(&facts)
        return check.look(facts)
    }

    @Test("where all is well nothing needs attention, and advisory mode is said for what it is")
    func well() {
        let findings = Check.findings(facts())
        #expect(!findings.contains { $0.verdict == .attention })
        #expect(findings.first?.check == "mode")
        #expect(findings.first?.verdict == .note)
        #expect(findings.first?.message.contains("could open the microphone itself") == true)
        #expect(Set(findings.map(\.check)) == Set(Check.all.map(\.name)))
    }

    @Test("without a service what it alone knows is unknown, and the way to start it is told")
    func notRunning() {
        var facts = facts()
        facts.service = .notRunning
        (facts.diagnosis, facts.stateFolder, facts.devices) = (nil, nil, nil)
        let findings = Check.findings(facts)
        #expect(findings.filter { $0.verdict == .attention }.map(\.check) == ["service"])
        #expect(findings.contains { $0.check == "policy" && $0.verdict == .unknown })
        #expect(findings.contains { $0.check == "mute" && $0.verdict == .unknown })
    }

    @Test("whatever needs attention has a next step")
    func nextSteps() {
        var facts = facts()
        facts.service = .running(HealthReply(version: "0.9", mode: .advisory, processIdentifier: 7, muted: true))
        facts.socketFolder = FolderFact(path: "/tmp/v", owner: 1000, mode: 0o755)
        facts.stateFolder = FolderFact(path: "/tmp/s", owner: 0, mode: 0o700)
        facts.diagnosis?.policy.broken = ["/p/a.yaml": "Line 1: no."]
        facts.diagnosis?.manifests = ["/c/a.plist": "It is none."]
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
        #expect(attention.first { $0.check == "socketFolder" }?.message.contains("755") == true)
    }

    @Test("VoiceGate's own service is no other program, and what cannot be seen is not said to be nothing")
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
    }

    @Test("a policy in force is a note with its next boundary in the policy's time zone")
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

    @Test("open files are looked up as the kernel shows them, also where they may not be read")
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
        // No folder of open files: what another user's process looks like; and a kernel thread, which has no command.
        try folder.write("x", to: "proc/43/cmdline")
        try folder.write("", to: "proc/2/cmdline")
        try folder.write("", to: "proc/uptime")
        let use = CaptureUse(processes: processes, devices: devices)
        #expect(use.nodes == ["pcmC0D0c"])
        #expect(use.holders == [CaptureUse.Holder(process: 41, name: "arecord", nodes: ["pcmC0D0c"])])
        #expect(use.hidden == 1)
    }

    @Test("this process's own open files are found in the real /proc")
    func realProcess() throws {
        let folder = try TemporaryFolder()
        let node = try folder.write("", to: "snd/pcmC9D9c")
        let descriptor = open(node, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let use = CaptureUse(devices: folder.path + "/snd")
        #expect(use.holders.map(\.process) == [getpid()])
        #expect(use.holders.first?.nodes == ["pcmC9D9c"])
    }

    @Test("a folder's owner and mode are seen, and a link to one is none")
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
