import Foundation
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// What one user fills and asks for while another denies and begins sessions.
@Suite(
    "One user against another", .timeLimit(.minutes(Repetitions.areMany ? 180 : 10)),
    .enabled(
        if: getuid() == 0 && access("/usr/bin/pkcheck", X_OK) == 0, "needs root and polkit"))
struct OneUserAgainstAnotherSerialTests {
    private static let (attacker, victim) = (64_001, 64_002)
    private static let denied = "org.example.notes"
    /// As many manifests as the service reads of a user, with curl's and the one of `denied`.
    private static let manifests = Repetitions.areMany ? 498 : 100

    /// An attack of `one_user.py`.
    enum Attack: String, CaseIterable {
        case denials, streams, networks, connections, records, verification

        var size: Int {
            switch self {
            // Invented clients.
            case .denials: Repetitions.areMany ? 100_000 : 1_000
            case .streams: Repetitions.areMany ? 2_000 : 500
            // Processes with 19,000 descriptors each.
            case .networks, .connections: Repetitions.areMany ? 100 : 20
            // Changes before it is measured.
            case .records: Repetitions.areMany ? 20_000 : 800
            // At the same time.
            case .verification: 4
            }
        }
    }

    /// Medians of several, in seconds.
    private struct Latencies: CustomStringConvertible {
        let denial: Double
        let start: Double
        var description: String { "denial \(denial) s, start of a session \(start) s" }

        init(line: String) throws {
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            try #require(numbers.count == 2, "\(line)")
            (denial, start) = (numbers[0], numbers[1])
        }

        /// Whether a denial takes at most 0.2 s, and the start of a session 0.5 s, longer than on the quiet service. On a slow
        /// machine each may take four times as long: twice because the attacker and the service's answers to it take half of
        /// two processors, and twice because others of the machine may be quiet at one time and busy at the next.
        func isBounded(by quiet: Latencies) -> Bool {
            denial <= max(quiet.denial + 0.2, 4 * quiet.denial) && start <= max(quiet.start + 0.5, 4 * quiet.start)
        }
    }

    private let service: ServiceUnderTest
    private let port: Int
    /// Python as VoiceGate's command, and what it runs.
    private let command: [String]

    /// In enforced mode, with Python in the place of VoiceGate's command, and a pkcheck that confirms: nobody types a password.
    init() async throws {
        port = try FreePort.find()
        let programs = try TemporaryFolder()
        let python = URL(fileURLWithPath: "/usr/bin/python3").resolvingSymlinksInPath().path
        for (file, name) in [
            (Programs.service, "voicegated"), (python, "voicegate"),
            (Programs.folder + "/voicegate-recognizer", "voicegate-recognizer"),
            (Checkout.root.appending(path: "Tests/Support/Tools/one_user.py").path, "one_user.py"),
        ] { try FileManager.default.copyItem(atPath: file, toPath: programs.path + "/" + name) }
        let pkcheck = try programs.write("#!/bin/sh\n", to: "pkcheck", permissions: 0o755)
        let configuration = try programs.write(
            "warmRecognizers: 2\nwyoming: {tcp: \"127.0.0.1:\(port)\"}\n", to: "config.yaml")
        command = [programs.path + "/voicegate", programs.path + "/one_user.py"]
        service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic")]),
            options: ["--mode", "enforced", "--configuration", configuration],
            within: [
                "/usr/bin/unshare", "--mount", "/bin/sh", "-c",
                #"mount --bind "$1" /usr/bin/pkcheck && shift 2 && exec "$0" "$@""#, programs.path + "/voicegated",
                pkcheck,
            ], keeping: programs)
        for path in [programs.path] + ["", "/run", "/run/voicegate"].map({ service.folder.path + $0 }) {
            chmod(path, 0o755)
        }
        chmod(service.socket, 0o666)
        // In enforced mode each user has manifests, which the service stores.
        for user in [Self.attacker, Self.victim] {
            try service.register(Programs.curl, as: "org.example.curl", in: "\(user)/curl")
            try service.register("/usr/bin/sha256sum", as: Self.denied, in: "\(user)/notes")
        }
        for number in 0..<Self.manifests {
            let program = try programs.write("\(number)", to: "program\(number)", permissions: 0o755)
            try service.register(program, as: "org.example.c\(number)", in: "\(Self.attacker)/c\(number)")
        }
        try widen("\(service.clientsDirectory)/\(Self.attacker)/curl/Info.plist")
    }

    /// Makes a manifest's texts as long as they may be, so that each record of a decision about it is.
    private func widen(_ manifest: String) throws {
        let recipients = (10..<30).map { "<string>\($0)\(String(repeating: "語", count: 98))</string>" }.joined()
        let text = try String(contentsOfFile: manifest, encoding: .utf8)
            .replacingOccurrences(of: "To try the socket.", with: String(repeating: "語", count: 150))
            .replacingOccurrences(of: "<array/>", with: "<array>\(recipients)</array>")
        try text.write(toFile: manifest, atomically: true, encoding: .utf8)
    }

    private func run(
        _ arguments: [String], as user: Int, within prefix: [String] = []
    ) throws -> RunningProgram {
        let identity = ["/usr/bin/setpriv", "--reuid", "\(user)", "--regid", "\(user)", "--clear-groups"]
        return try RunningProgram(prefix + identity + command + arguments, environment: service.environment)
    }

    private func run(_ attack: Attack) throws -> RunningProgram {
        try run(
            [attack.rawValue, attack == .connections ? "\(port)" : service.socket, "\(attack.size)"], as: Self.attacker,
            within: attack == .networks ? ["/usr/bin/unshare", "--net"] : [])
    }

    private func measured(_ victim: RunningProgram) async throws -> Latencies {
        let before = victim.lines.count
        try victim.type("\n")
        try await victim.lines(before + 1) { _ in true }
        return try Latencies(line: try #require(victim.lines.last))
    }

    @Test(
        "what another user fills and asks for makes neither a denial nor a session's start wait",
        arguments: Attack.allCases)
    func served(attack: Attack) async throws {
        let victim = try run(["victim", service.socket, Self.denied], as: Self.victim)
        try await victim.line { $0 == "ready" }
        let quiet = try await measured(victim)
        let attacker = try run(attack)
        try await attacker.line { $0 == "attacking" }
        let attacked = try await measured(victim)
        try attacker.closeInput()
        await attacker.end()
        try victim.closeInput()
        #expect(await victim.end() == 0, "\(victim.errorText)")
        let answers = try JSONDecoder().decode([String: Int].self, from: Data(try #require(attacker.lines.last).utf8))
        print("\(attack) \(attack.size): quiet \(quiet); attacked \(attacked); \(answers)")
        #expect(attacked.isBounded(by: quiet), "quiet: \(quiet); attacked: \(attacked)")
        switch attack {
        case .networks, .connections:
            // The service did search the descriptors.
            #expect(service.program.errorText.contains("has too many processes or descriptors"))
        case .records:
            // What becomes free again meanwhile is little.
            let (recorded, refused) = (answers["204", default: 0], answers["429", default: 0])
            #expect(refused > 10 * recorded, "\(answers)")
        default: break
        }
    }
}
