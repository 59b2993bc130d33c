import Foundation
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// What one user fills and asks for while another denies and begins sessions.
@Suite(
    "One user against another", .timeLimit(.minutes(Repetitions.areMany ? 120 : 10)),
    .enabled(
        if: getuid() == 0 && access("/usr/bin/pkcheck", X_OK) == 0, "needs root and polkit"))
struct OneUserAgainstAnotherSerialTests {
    private static let client = "org.example.notes"
    private static let attacker = 64_001
    private static let victim = 64_002

    /// So much slower a denial and a session's start may be than on the quiet service: 0.2 s and 0.5 s where they take 10
    /// and 50 ms.
    private static let mostRatio = (denial: 20.0, start: 10.0)
    private static let least = (denial: 0.01, start: 0.05)

    private struct Latencies: CustomStringConvertible {
        let denial: Double
        let start: Double
        var description: String { "denial \(denial) s, start of a session \(start) s" }

        init(line: String) throws {
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            try #require(numbers.count == 2, "\(line)")
            (denial, start) = (numbers[0], numbers[1])
        }
    }

    private let service: ServiceUnderTest
    /// Python as VoiceGate's command, and what it runs.
    private let command: [String]

    /// In enforced mode, with Python in the place of VoiceGate's command, and a pkcheck that confirms: nobody types a password.
    init() async throws {
        let programs = try TemporaryFolder()
        let python = URL(fileURLWithPath: "/usr/bin/python3").resolvingSymlinksInPath().path
        for (file, name) in [
            (Programs.service, "voicegated"), (python, "voicegate"),
            (Programs.folder + "/voicegate-recognizer", "voicegate-recognizer"),
            (Checkout.root.appending(path: "Tests/Support/Tools/one_user.py").path, "one_user.py"),
        ] { try FileManager.default.copyItem(atPath: file, toPath: programs.path + "/" + name) }
        let pkcheck = try programs.write("#!/bin/sh\n", to: "pkcheck", permissions: 0o755)
        command = [programs.path + "/voicegate", programs.path + "/one_user.py"]
        service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic")]), options: ["--mode", "enforced"],
            within: [
                "/usr/bin/unshare", "--mount", "/bin/sh", "-c",
                #"mount --bind "$1" /usr/bin/pkcheck && exec "$0" "${@:3}""#, programs.path + "/voicegated", pkcheck,
            ], warm: 2, keeping: programs)
        for path in [programs.path] + ["", "/run", "/run/voicegate", "/clients"].map({ service.folder.path + $0 }) {
            chmod(path, 0o755)
        }
        chmod(service.socket, 0o666)
        try service.registerCurl()
        try service.register("/usr/bin/env", as: Self.client, in: "notes")
    }

    private func run(_ arguments: [String], as user: Int) throws -> RunningProgram {
        try RunningProgram(
            ["/usr/bin/setpriv", "--reuid", "\(user)", "--regid", "\(user)", "--clear-groups"] + command + arguments,
            environment: service.environment)
    }

    private func measured(_ victim: RunningProgram) async throws -> Latencies {
        let before = victim.lines.count
        try victim.type("\n")
        try await victim.lines(before + 1) { _ in true }
        return try Latencies(line: try #require(victim.lines.last))
    }

    @Test(
        "what another user fills and asks for makes neither a denial nor a session's start wait",
        arguments: [
            ("decisions", Repetitions.areMany ? 100_000 : 3_000), ("streams", 30),
            ("networks", Repetitions.areMany ? 100 : 10), ("records", 4), ("verification", 4),
        ])
    func served(attack: String, size: Int) async throws {
        let victim = try run(["victim", service.socket, Self.client], as: Self.victim)
        try await victim.line { $0 == "ready" }
        let quiet = try await measured(victim)
        let attacker = try run([attack, service.socket, "\(size)"], as: Self.attacker)
        try await attacker.line { $0 == "attacking" }
        let attacked = try await measured(victim)
        try attacker.closeInput()
        await attacker.end()
        try victim.closeInput()
        #expect(await victim.end() == 0, "\(victim.errorText)")
        print("\(attack) \(size): quiet \(quiet); attacked \(attacked)")
        #expect(attacked.denial <= Self.mostRatio.denial * max(quiet.denial, Self.least.denial))
        #expect(attacked.start <= Self.mostRatio.start * max(quiet.start, Self.least.start))
    }
}
