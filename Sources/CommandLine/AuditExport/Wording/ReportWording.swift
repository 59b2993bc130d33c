import Authorization
import Consent
import Foundation

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

    /// What a record of this kind says, such as “a permission”.
    public func words(for kind: RecordKind) -> String? { reportWording.kind(kind.rawValue) }

    var reportWording: ReportWording { ReportWording(language: self) }
}

/// Numbers, times, and texts of the report that depend on more than their values. Texts from records are cleaned before.
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

    private static func tenths(_ bytes: Int64, _ unit: Int64) -> String {
        let tenths = bytes * 10 / unit
        return "\(tenths / 10).\(tenths % 10)"
    }

    func clock(_ moment: LocalMoment) -> String {
        String(format: "%02d:%02d", moment.hour, moment.minute)
            + (moment.second.map { String(format: ":%02d", $0) } ?? "")
    }

    func date(_ date: CivilDate) -> String {
        self.date(day: date.day, month: monthName("\(date.month)") ?? "", year: date.year)
    }

    func dateTime(_ moment: LocalMoment) -> String { dateTime(date: date(moment.date), time: clock(moment)) }

    /// The name of a column of the timeline.
    func label(_ moment: LocalMoment, _ unit: Timeline.Unit) -> String {
        switch unit {
        case .hour: dateTime(moment.inMinutes)
        case .day: date(moment.date)
        case .week: week(date: date(moment.date))
        case .month: month(month: monthName("\(moment.date.month)") ?? "", year: moment.date.year)
        case .year: year(year: moment.date.year)
        }
    }

    func duration(_ milliseconds: Int64) -> String {
        DurationUnits(
            hour: self(.hourUnit), minute: self(.minuteUnit), second: self(.secondUnit), separator: self(.unitSeparator)
        ).text(milliseconds)
    }

    func listened(_ use: Use.Count) -> String {
        listenedTimes(count: count(use.times), duration: duration(use.milliseconds))
    }

    /// What was listened to and what was transcribed; empty if neither was.
    func use(_ use: Use) -> String {
        let (heard, files) = (use.listened, use.transcribed)
        return [
            heard.times > 0 ? listened(heard) : nil,
            files.times > 0
                ? transcribedFiles(count: count(files.times), duration: duration(files.milliseconds)) : nil,
        ].compactMap(\.self).joined(separator: " · ")
    }

    /// - Parameter use: as `use` words it, at the beginning of a sentence.
    func used(_ use: String, from first: String, to last: String) -> String {
        first == last
            ? usedAt(use: Self.begin(use), time: first) : usedBetween(use: Self.begin(use), first: first, last: last)
    }

    static func begin(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    func outcome(_ state: ConsentState, _ scope: Scope?) -> String {
        state == .given ? scope.map(given) ?? outcome(state) : outcome(state)
    }

    func erased(_ count: Int, kinds: String) -> String {
        let count = self.count(count)
        return kinds.isEmpty ? itemsErased(count: count) : itemsOfKindsErased(count: count, kinds: kinds)
    }

    /// The text of a bundle's README.
    ///
    /// - Parameter whole: whether the bundle holds the whole log, and not a part with proofs.
    func readme(log: String, madeAt: String, whole: Bool) -> String {
        readme(
            time: madeAt, log: log, parts: whole ? "" : self(.readmeParts),
            proof: self(whole ? .readmeProofOfWhole : .readmeProofOfPart))
    }
}

extension RegisterWording {
    /// Some columns are named as in the report.
    func name(of column: RegisterColumn) -> String {
        self.column("\(column)") ?? ReportText(rawValue: "\(column)").map { language.reportWording($0) } ?? ""
    }
}
