import Authorization
import Foundation

/// Looks at a manifest with the eyes of the person who will read its prompt.
///
/// Pure: what is on disk comes as bytes, and what is known of programs by a closure.
public struct ManifestLint: Sendable {
    static let manifestFile = "Info.plist"

    let program: @Sendable (String) -> ProgramFacts?

    /// - Parameter program: what is known of the file at an absolute path; `nil`: there is none.
    public init(program: @escaping @Sendable (String) -> ProgramFacts?) { self.program = program }

    /// All findings: the errors first, then by file and key.
    ///
    /// - Parameter translations: the `InfoPlist.strings` beside the manifest.
    public func findings(manifest data: Data, translations: [Translation] = []) -> [LintFinding] {
        let (subject, problems) = LintSubject.read(data, translations)
        var findings = problems
        if let subject {
            findings += texts(subject) + translationTexts(subject) + dataItems(subject) + permissions(subject)
            findings += programs(subject)
        }
        let order = LintSeverity.allCases
        let ranked = findings.enumerated().sorted { one, other in
            let (left, right) = (
                order.firstIndex(of: one.element.severity), order.firstIndex(of: other.element.severity)
            )
            return (left ?? 0, one.element.file, one.offset) < (right ?? 0, other.element.file, other.offset)
        }
        return ranked.map(\.element)
    }
}
