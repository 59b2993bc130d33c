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
