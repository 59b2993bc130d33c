import ArgumentParser
import SocketAPI
import VoiceGateClient

struct DoctorCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look at what is enforced, what is not and what is missing, each with the next step.",
        discussion: """
            Changes nothing, starts nothing and opens no device. Exits with 0 when all is well and with 1 when something \
            needs attention. What cannot be seen from here is told as unknown.
            """)

    @OptionGroup var options: GlobalOptions

    struct Report: Encodable {
        let isWell: Bool
        let findings: [Finding]
    }

    func run(_ context: CommandContext) async throws {
        let facts = await FactGathering(client: VoiceGateClient(socketPath: context.socketPath)).facts()
        let findings = Check.findings(facts)
        let isWell = !findings.contains { $0.verdict == .attention }
        if context.output.isJSON {
            try context.output.json(Report(isWell: isWell, findings: findings))
        } else {
            for line in DoctorText.lines(findings) { try context.output.line(line) }
        }
        if !isWell { throw CommandError.alreadyTold(.attention) }
    }
}

/// Findings as a person reads them: a mark, the check, what was found, and below it what to do.
enum DoctorText {
    static func lines(_ findings: [Finding]) -> [String] {
        let width = findings.map(\.check.count).max() ?? 0
        return findings.flatMap { finding in
            let padding = String(repeating: " ", count: width - finding.check.count)
            let first = "\(mark(finding.verdict)) \(finding.check)\(padding)  \(finding.message)"
            let indentation = String(repeating: " ", count: width + 4)
            return [first] + (finding.nextStep.map { [indentation + "→ " + $0] } ?? [])
        }
    }

    private static func mark(_ verdict: Finding.Verdict) -> String {
        switch verdict {
        case .well: "✓"
        case .note: "·"
        case .unknown: "?"
        case .attention: "!"
        }
    }
}

/// One thing that `voicegate doctor` looks at. Pure: everything it knows is in the facts.
struct Check: Sendable {
    let name: String
    let look: @Sendable (Facts) -> [Finding]

    /// In the order in which they are shown.
    static let all: [Check] = [
        .mode, .enforcement, .service, .socketFolder, .stateFolder, .log, .policy, .manifests, .mute, .agent,
        .recognizer, .devices, .otherPrograms, .engine,
    ]

    static func findings(_ facts: Facts, _ checks: [Check] = all) -> [Finding] { checks.flatMap { $0.look(facts) } }

    init(_ name: String, _ look: @escaping @Sendable (Facts) -> [Finding]) {
        self.name = name
        self.look = look
    }

    /// A check that can say nothing without the service.
    static func unknown(_ name: String, _ what: String) -> [Finding] {
        [Finding(name, .unknown, "\(what) is not known, because the service does not answer.")]
    }
}

/// What one check of `voicegate doctor` came to.
struct Finding: Sendable, Hashable, Codable {
    enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
        case well
        /// As it should be, and worth knowing.
        case note
        /// Could not be looked at from here.
        case unknown
        /// The person should do something.
        case attention
    }

    /// A word for programs, such as `policy`.
    let check: String
    let verdict: Verdict
    /// A sentence.
    let message: String
    /// What to do, as a sentence or a command; always there with `attention`.
    let nextStep: String?

    init(_ check: String, _ verdict: Verdict, _ message: String, nextStep: String? = nil) {
        self.check = check
        self.verdict = verdict
        self.message = message
        self.nextStep = nextStep
    }
}
