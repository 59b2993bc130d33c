import Consent

/// The files of a bundle that say for readers and programs what its records say: report, tables, JSON-LD.
///
/// The same records, scope and checkpoint give the same bytes, so that a verifier can make them again and compare.
public struct DerivedFiles {
    /// Its verification is needed only at the end.
    var scope: ExportScope
    private let trust: ExportTrust
    private var formats: [(name: String, format: any RecordFormat)]

    public init(_ scope: ExportScope, trust: ExportTrust) {
        self.scope = scope
        self.trust = trust
        formats = [
            (BundleLayout.accesses, AccessTable()), (BundleLayout.decisions, DecisionTable()),
            (BundleLayout.linkedData, LinkedData(log: scope.log)), (BundleLayout.report, FiguresFormat.report(scope)),
        ]
    }

    /// - Parameter write: takes the name of a file and the text that comes next in it.
    public mutating func begin<Failure>(_ write: (String, String) throws(Failure) -> Void) throws(Failure) {
        for place in formats.indices { try write(formats[place].name, formats[place].format.begin()) }
    }

    public mutating func add<Failure>(
        _ record: ConsentRecord, _ write: (String, String) throws(Failure) -> Void
    ) throws(Failure) {
        for place in formats.indices { try write(formats[place].name, formats[place].format.add(record)) }
    }

    public mutating func end<Failure>(_ write: (String, String) throws(Failure) -> Void) throws(Failure) {
        let verification = ExportVerification(
            report: scope.verification, trust: trust, coverage: scope.isWhole ? .whole : .proofs)
        for place in formats.indices { try write(formats[place].name, formats[place].format.end(verification)) }
        let words = scope.language.reportWording
        let moment = LocalClock(timeZone: .gmt).moment(scope.madeAt)
        try write(
            BundleLayout.readme,
            words.readme(log: scope.log, madeAt: words.dateTime(moment) + " UTC", whole: scope.isWhole))
    }
}
