/// What the log's mathematics prove, and the records by kind.
protocol ReportProofWording: Sendable {
    var fits: String { get }
    var doesNotFit: String { get }
    var notChecked: String { get }
    func allFit(_ records: Int) -> String

    var provenTitle: String { get }
    var notProvenTitle: String { get }
    var nothingProven: String { get }
    var fitTogether: String { get }
    var coveredWhole: String { get }
    var coveredByProofs: String { get }
    var notCovered: String { get }
    var signed: String { get }
    func erasedKeepPlace(_ records: Int) -> String
    var notProven: [String] { get }
    var neverPublished: String { get }
    /// Followed by where it went.
    func published(_ records: Int, _ moment: String) -> String
    var checkYourself: String { get }

    var recordsName: String { get }
    var rootName: String { get }
    var keyName: String { get }
    var logName: String { get }

    func appendixIntro(_ records: Int) -> String
    /// - Returns: `nil` for a kind that this version does not know.
    func kind(_ kind: String) -> String?
}
