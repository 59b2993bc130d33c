import Authorization
import Consent
import Foundation

/// All texts of the report and of a bundle's README, one file a language. Texts from records are cleaned before.
protocol ReportWording: Sendable {
    func callAsFunction(_ text: ReportText) -> String
    /// Of the checkpoint. No `ReportText`, because in English it is the same word as `numberColumn`.
    var recordsName: String { get }

    // MARK: By the codes in records; a code without a text is shown itself

    var kinds: [String: String] { get }
    var reasons: [String: String] { get }
    /// Without the ordinary question.
    var questions: [String: String] { get }
    var endings: [String: String] { get }
    var refusals: [String: String] { get }
    var erasureReasons: [String: String] { get }
    /// How the recipients of a session's text were known.
    var sharings: [String: String] { get }

    // MARK: The page, and the summary

    func name(of section: ReportSection) -> String
    func footer(_ log: String) -> String
    func span(_ first: String, _ last: String) -> String
    func since(_ moment: String) -> String
    func until(_ moment: String) -> String
    func isKeptNow(_ count: Int) -> String
    func someQuestions(_ count: Int) -> String
    /// - Parameter file: of a bundle, where all of them are.
    func leftOut(_ count: Int, _ file: String) -> String
    func morePrograms(_ count: Int) -> String

    // MARK: Decisions and permissions

    func outcome(_ state: ConsentState, _ scope: Scope?) -> String
    /// How the user decided.
    func way(_ indication: Indication) -> String
    func asOf(_ outcome: String, _ date: String) -> String
    func asShown(_ record: Int) -> String

    // MARK: Use

    /// - Parameter tallest: the duration of the highest bar.
    func timelineIntro(_ unit: Timeline.Unit, _ tallest: String) -> String
    /// How often and how long it listened.
    func listened(_ times: Int, _ duration: String) -> String
    /// How many files it transcribed, and how long they are.
    func transcribed(_ files: Int, _ duration: String) -> String
    /// - Parameter most: the highest bar, as `bar` words it.
    func stripDescription(_ use: String, _ most: String) -> String
    func bar(_ label: String, _ use: String) -> String
    func ground(_ ground: ListeningGround) -> String
    /// - Parameter use: as `use` words it.
    func usedBetween(_ use: String, _ first: String, _ last: String) -> String
    func refusedFor(_ reasons: String) -> String

    // MARK: What was kept, erased and shared, and open questions

    func keptAndErased(_ kept: Int, _ erased: Int, _ now: Int) -> String
    func recordsErased(_ count: Int) -> String
    func itemsErased(_ count: Int, _ kinds: String) -> String
    /// - Parameter way: a text of `sharings`.
    func sharing(_ way: String, _ count: Int) -> String
    func handedOn(_ count: Int) -> String
    func title(of kind: Oddity.Kind) -> String
    func explanation(of kind: Oddity.Kind) -> String
    func record(_ index: Int) -> String
    func daysAfterGrant(_ days: Int) -> String
    func secondsBack(_ seconds: Int) -> String

    // MARK: What the log proves

    func allFit(_ records: Int) -> String
    func erasedKeepPlace(_ records: Int) -> String
    var notProven: [String] { get }
    /// Followed by the destination.
    func published(_ records: Int, _ moment: String) -> String
    func appendixIntro(_ records: Int) -> String

    // MARK: Times

    func date(_ date: CivilDate) -> String
    func dateTime(_ moment: LocalMoment) -> String
    func week(_ first: CivilDate) -> String
    func month(_ date: CivilDate) -> String
    func year(_ date: CivilDate) -> String
    var units: DurationUnits { get }

    // MARK: The text of a bundle's README

    /// - Parameter whole: whether the bundle holds the whole log, and not a part with proofs.
    func readme(log: String, madeAt: String, whole: Bool) -> String
}

extension Language {
    /// The figures as reports word them; empty if there are none.
    public func words(for use: Use) -> String { reportWording.use(use) }

    /// What a question about always means for the permission, and what it needs; `nil`: a request waits for the question.
    public func words(for question: Question.Kind?) -> String? {
        switch question {
        case .upgradeToAlways: reportWording(.alwaysToConfirm)
        case .review: reportWording(.alwaysToReview)
        case .firstUse, .identityChanged, .termsWidened, .temporaryFullFidelity, nil: nil
        }
    }

    var reportWording: any ReportWording {
        switch self {
        case .english: EnglishReportWording()
        case .japanese: JapaneseReportWording()
        case .korean: KoreanReportWording()
        }
    }
}

extension ReportWording {
    /// Digits in threes, as all three languages write them.
    func count(_ number: Int) -> String { number.formatted(.number.locale(Locale(identifier: "en_US"))) }

    func bytes(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) B"
        case ..<1_000_000: "\(Self.tenths(bytes, 1_000)) kB"
        case ..<1_000_000_000: "\(Self.tenths(bytes, 1_000_000)) MB"
        default: "\(Self.tenths(bytes, 1_000_000_000)) GB"
        }
    }

    func clock(_ moment: LocalMoment) -> String {
        String(format: "%02d:%02d", moment.hour, moment.minute)
            + (moment.second.map { String(format: ":%02d", $0) } ?? "")
    }

    /// The name of a column of the timeline.
    func label(_ moment: LocalMoment, _ unit: Timeline.Unit) -> String {
        switch unit {
        case .hour: dateTime(moment.inMinutes)
        case .day: date(moment.date)
        case .week: week(moment.date)
        case .month: month(moment.date)
        case .year: year(moment.date)
        }
    }

    func duration(_ milliseconds: Int64) -> String { units.text(milliseconds) }

    func listened(_ count: Use.Count) -> String { listened(count.times, duration(count.milliseconds)) }

    /// What was listened to and what was transcribed; empty if neither was.
    func use(_ use: Use) -> String {
        let (heard, files) = (use.listened, use.transcribed)
        return [
            heard.times > 0 ? listened(heard) : nil,
            files.times > 0 ? transcribed(files.times, duration(files.milliseconds)) : nil,
        ].compactMap(\.self).joined(separator: " · ")
    }

    private static func tenths(_ bytes: Int64, _ unit: Int64) -> String {
        let tenths = bytes * 10 / unit
        return "\(tenths / 10).\(tenths % 10)"
    }
}
