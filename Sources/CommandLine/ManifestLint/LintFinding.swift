/// One thing that is wrong with a manifest.
public struct LintFinding: Sendable, Hashable, Codable {
    /// `Info.plist`, or the translation, such as `ja.lproj/InfoPlist.strings`.
    public let file: String
    public let rule: LintRule
    public let severity: LintSeverity
    /// The key it is about; a purpose is named as `DICTIONARY.PURPOSE`. `nil`: the file as a whole.
    public let key: String?
    /// What is wrong and what to write instead, as sentences.
    public let message: String
    /// A good text, in the language of the text that is not.
    public let example: String?

    init(_ rule: LintRule, _ file: String, _ key: String?, _ message: String, example: String? = nil) {
        self.file = file
        self.rule = rule
        self.severity = rule.severity
        self.key = key
        self.message = message
        self.example = example
    }
}
