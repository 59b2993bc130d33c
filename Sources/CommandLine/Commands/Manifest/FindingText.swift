import ManifestLint

/// A finding as one line, the way compilers write them.
enum FindingText {
    static func line(_ finding: LintFinding, path: String) -> String {
        let key = finding.key.map { "\($0): " } ?? ""
        let example = finding.example.map { " For example: “\($0)”" } ?? ""
        return "\(path): \(finding.severity.rawValue): \(key)\(finding.message)\(example) [\(finding.rule.rawValue)]"
    }
}
