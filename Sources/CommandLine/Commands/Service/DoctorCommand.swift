import ArgumentParser
import CommandClient

struct DoctorCommand: PagedCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the service, its protection and its devices, and show the next step for each problem.",
        discussion: """
            Changes nothing, starts nothing and opens no device. The exit code is 1 if something needs attention. Facts \
            that this user cannot read are shown as unknown.
            """)

    @OptionGroup var paging: PagingOptions
    @OptionGroup var options: GlobalOptions

    private struct Report: Encodable {
        let isWell: Bool
        let findings: [Finding]
    }

    func run(_ context: CommandContext) async throws {
        let findings = Check.findings(await Facts.gather(context.clientOfRunningService))
        let isWell = !findings.contains { $0.verdict == .attention }
        try context.output.result(
            Report(isWell: isWell, findings: findings), Self.lines(findings), ending: isWell ? .success : .attention)
    }

    private static func lines(_ findings: [Finding]) -> [String] {
        let width = findings.map(\.check.count).max() ?? 0
        return findings.flatMap { finding in
            let padding = String(repeating: " ", count: width - finding.check.count)
            let first = "\(finding.verdict.mark) \(finding.check)\(padding)  \(finding.message)"
            let indentation = String(repeating: " ", count: width + 4)
            return [first] + (finding.nextStep.map { [indentation + "→ " + $0] } ?? [])
        }
    }
}

/// One check of `voicegate doctor`. Pure: it knows only the facts.
struct Check: Sendable {
    /// In display order.
    static let all: [Check] = [
        .mode, .enforcement, .service, .socketFolder, .stateFolder, .log, .anchors, .policy, .manifests, .mute, .agent,
        .recognizer, .sandbox, .devices, .otherPrograms, .engine,
    ]

    let name: String
    let examine: @Sendable (Facts, inout Findings) -> Void

    func look(_ facts: Facts) -> [Finding] {
        var findings = Findings(check: name)
        examine(facts, &findings)
        return findings.all
    }

    static func findings(_ facts: Facts) -> [Finding] { all.flatMap { $0.look(facts) } }
}

struct Finding: Sendable, Hashable, Codable {
    enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
        case well
        /// As it should be, and worth knowing.
        case note
        /// This user cannot find out.
        case unknown
        /// The user should act.
        case attention

        fileprivate var mark: String {
            switch self {
            case .well: "✓"
            case .note: "·"
            case .unknown: "?"
            case .attention: "!"
            }
        }
    }

    /// A word for programs, such as `policy`.
    let check: String
    let verdict: Verdict
    /// A sentence.
    let message: String
    /// A sentence or a command; always present with `attention`.
    let nextStep: String?
}

/// Collects the findings of one check; `check` names a part of it.
struct Findings {
    let check: String
    private(set) var all: [Finding] = []

    mutating func well(_ message: String, check: String? = nil) { add(.well, message, nil, check) }

    mutating func note(_ message: String, next: String? = nil, check: String? = nil) {
        add(.note, message, next, check)
    }

    mutating func unknown(_ message: String, next: String? = nil, check: String? = nil) {
        add(.unknown, message, next, check)
    }

    /// A fact that only the service knows.
    mutating func unknown(withoutService subject: String) {
        unknown("\(subject) cannot be checked, because the service does not answer.")
    }

    mutating func attention(_ message: String, next: String, check: String? = nil) {
        add(.attention, message, next, check)
    }

    private mutating func add(_ verdict: Finding.Verdict, _ message: String, _ next: String?, _ check: String?) {
        all.append(Finding(check: check ?? self.check, verdict: verdict, message: message, nextStep: next))
    }
}
