import Authorization

/// All texts of the report and of a bundle's README, one file a language. Texts from records are cleaned before.
protocol ReportWording: Sendable {
    // MARK: What stands around the sections, and the summary

    var title: String { get }
    var skip: String { get }
    var contents: String { get }
    func name(of section: ReportSection) -> String
    func footer(_ log: String) -> String

    var emptyLog: String { get }
    func span(_ first: String, _ last: String) -> String
    var coversName: String { get }
    var madeName: String { get }
    var timesName: String { get }
    var everything: String { get }
    var onlyProgram: String { get }
    var onlySubject: String { get }
    func since(_ moment: String) -> String
    func until(_ moment: String) -> String
    var unknownProgram: String { get }

    var timesListened: String { get }
    var listeningInAll: String { get }
    var programsSeen: String { get }
    var grantsAndDenials: String { get }
    var itemsKept: String { get }
    var openQuestions: String { get }
    var nothingIsKeptNow: String { get }
    func isKeptNow(_ count: Int) -> String
    var noQuestions: String { get }
    func someQuestions(_ count: Int) -> String

    /// - Parameter file: of a bundle, where all of them are.
    func leftOut(_ count: Int, _ file: String) -> String
    func morePrograms(_ count: Int) -> String

    /// Heads of columns.
    var whenColumn: String { get }
    var programColumn: String { get }
    var timesColumn: String { get }
    var durationColumn: String { get }
    var deviceColumn: String { get }
    var endedColumn: String { get }
    var sinceColumn: String { get }
    var kindColumn: String { get }
    var sizeColumn: String { get }
    var untilColumn: String { get }
    var whatColumn: String { get }
    var whyColumn: String { get }
    var declaredColumn: String { get }
    var enforcedColumn: String { get }
    var handedOnColumn: String { get }
    var kindNameColumn: String { get }
    var numberColumn: String { get }

    // MARK: What was asked and answered, and how programs stand

    var nobodyAsked: String { get }
    var answersIntro: String { get }
    /// Stands where a field was erased.
    var erasedValue: String { get }
    var fieldsErased: String { get }
    func about(_ program: Markup, _ resource: String) -> Markup
    func outcome(_ state: ConsentState, _ scope: Scope?) -> String
    var carriedOver: String { get }
    var muted: String { get }
    var unmuted: String { get }
    /// How the person said it.
    func way(_ indication: Indication) -> String
    func reason(_ reason: String) -> String
    /// - Returns: `nil` for the ordinary question.
    func question(_ word: String) -> String?
    var whatWasShown: String { get }

    var noPrograms: String { get }
    var standingTitle: String { get }
    var fourItems: String { get }
    var neverAnswered: String { get }
    func asOf(_ outcome: String, _ date: String) -> String
    var noNotice: String { get }
    func asShown(_ record: Int) -> String

    // MARK: Who listened

    var nobodyListened: String { get }
    var allPrograms: String { get }
    /// - Parameter tallest: the duration of the highest bar.
    func timelineIntro(_ unit: Timeline.Unit, _ tallest: String) -> String
    var sameAsTable: String { get }
    var usageCaption: String { get }
    var latestSessions: String { get }
    func use(_ times: Int, _ duration: String) -> String
    /// - Parameter most: the highest bar, as `bar` words it.
    func stripDescription(_ use: String, _ most: String) -> String
    func bar(_ label: String, _ use: String) -> String
    var soundFile: String { get }
    /// How a session ended, by the reason in its record; the reason itself where it is not known.
    func ending(_ reason: String) -> String

    var neverListened: String { get }
    func usedBetween(_ use: String, _ first: String, _ last: String) -> String
    func filesRead(_ count: Int) -> String
    func refusedFor(_ reasons: String) -> String
    /// Why an access was refused, by the code in its record; the code itself where it is not known.
    func refusal(_ code: String) -> String

    // MARK: What was kept, erased and handed on, and what is left to ask

    var nothingWasKept: String { get }
    func keptAndErased(_ kept: Int, _ erased: Int, _ now: Int) -> String
    var untilTakenBack: String { get }
    var keptNowTitle: String { get }
    var erasedTitle: String { get }
    /// By the reason in the record; the reason itself where it is not known.
    func erasureReason(_ reason: String) -> String
    func recordsErased(_ count: Int) -> String
    func itemsErased(_ count: Int, _ kinds: String) -> String

    var nothingToShare: String { get }
    var sharingIntro: String { get }
    /// How many sessions ran with this knowledge about sharing.
    func sharing(_ word: String, _ count: Int) -> String
    var notEnforced: String { get }
    var handedOnNothing: String { get }
    func handedOn(_ count: Int) -> String

    var questionsIntro: String { get }
    func title(of kind: Oddity.Kind) -> String
    func explanation(of kind: Oddity.Kind) -> String
    func record(_ index: Int) -> String
    func daysAfterGrant(_ days: Int) -> String
    func secondsBack(_ seconds: Int) -> String

    // MARK: What the log's mathematics prove, and the records by kind

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

    // MARK: How numbers and times are written

    func date(_ moment: LocalMoment) -> String
    func dateTime(_ moment: LocalMoment) -> String
    /// The name of a column of the timeline.
    func label(_ moment: LocalMoment, _ unit: Timeline.Unit) -> String
    func duration(_ milliseconds: Int64) -> String

    // MARK: The text of a bundle's README

    /// - Parameter whole: whether the bundle holds the whole log, and not a part with proofs.
    func readme(log: String, madeAt: String, whole: Bool) -> String
}

extension Language {
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
    func count(_ number: Int) -> String {
        let digits = Array(String(number))
        var text = ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position).isMultiple(of: 3), digits[position - 1] != "-" { text += "," }
            text.append(digit)
        }
        return text
    }

    func bytes(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) B"
        case ..<1_000_000: "\(Self.tenths(bytes, 1_000)) kB"
        case ..<1_000_000_000: "\(Self.tenths(bytes, 1_000_000)) MB"
        default: "\(Self.tenths(bytes, 1_000_000_000)) GB"
        }
    }

    func clock(_ moment: LocalMoment) -> String { "\(Self.two(moment.hour)):\(Self.two(moment.minute))" }

    /// Hours, minutes and seconds; at most two of them are worth telling.
    func parts(_ milliseconds: Int64) -> (hours: Int64, minutes: Int64, seconds: Int64) {
        let seconds = (milliseconds + 500) / 1000
        return (seconds / 3600, seconds % 3600 / 60, seconds % 60)
    }

    static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func tenths(_ bytes: Int64, _ unit: Int64) -> String {
        let tenths = bytes * 10 / unit
        return "\(tenths / 10).\(tenths % 10)"
    }
}
