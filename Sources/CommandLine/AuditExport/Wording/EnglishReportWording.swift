struct EnglishReportWording: ReportWording {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    func date(_ moment: LocalMoment) -> String {
        "\(moment.day) \(Self.months[(moment.month + 11) % 12]) \(moment.year)"
    }

    func dateTime(_ moment: LocalMoment) -> String { "\(date(moment)), \(clock(moment))" }

    func label(_ moment: LocalMoment, _ unit: Timeline.Unit) -> String {
        switch unit {
        case .hour: dateTime(moment)
        case .day: date(moment)
        case .week: "week of \(date(moment))"
        case .month: "\(Self.months[(moment.month + 11) % 12]) \(moment.year)"
        case .year: "\(moment.year)"
        }
    }

    func duration(_ milliseconds: Int64) -> String {
        let (hours, minutes, seconds) = parts(milliseconds)
        if hours > 0 { return "\(count(Int(hours))) h \(minutes) min" }
        if minutes > 0 { return seconds > 0 && minutes < 10 ? "\(minutes) min \(seconds) s" : "\(minutes) min" }
        return "\(seconds) s"
    }
}

extension EnglishReportWording {
    var title: String { "Who listened, and when" }
    var skip: String { "Skip to the report" }
    var contents: String { "Contents" }

    func name(of section: ReportSection) -> String {
        switch section {
        case .summary: "At a glance"
        case .timeline: "When programs listened"
        case .answers: "Asked and answered"
        case .programs: "Each program"
        case .keeping: "Kept and erased"
        case .sharing: "Shared"
        case .questions: "Open questions"
        case .proof: "What is proven"
        case .appendix: "All records by kind"
        }
    }

    func footer(_ log: String) -> String {
        "Made by VoiceGate from the consent log \(log). This page loads nothing and runs nothing."
    }

    var emptyLog: String { "There are no records of what was asked for." }
    func span(_ first: String, _ last: String) -> String { first == last ? first : "\(first) to \(last)" }
    var coversName: String { "Covers" }
    var madeName: String { "Made" }
    var timesName: String { "Times in" }
    var everything: String { "the whole log" }
    var onlyProgram: String { "only the program" }
    var onlySubject: String { "only the person" }
    func since(_ moment: String) -> String { "from \(moment)" }
    func until(_ moment: String) -> String { "before \(moment)" }
    var unknownProgram: String { "a program whose name was erased" }

    var timesListened: String { "times listened" }
    var listeningInAll: String { "of listening" }
    var programsSeen: String { "programs" }
    var yesesAndNoes: String { "yes / no" }
    var itemsKept: String { "kept now" }
    var openQuestions: String { "open questions" }
    var nothingIsKeptNow: String { "Nothing is kept now." }
    func isKeptNow(_ count: Int) -> String {
        count == 1 ? "One item is kept now." : "\(self.count(count)) items are kept now."
    }
    var noQuestions: String { "There are no open questions." }
    func someQuestions(_ count: Int) -> String {
        count == 1 ? "One question is open." : "\(self.count(count)) questions are open."
    }

    func leftOut(_ count: Int, _ file: String) -> String {
        "\(self.count(count)) more are not shown here. All of them are in \(file) of the bundle."
    }
    func morePrograms(_ count: Int) -> String {
        "\(self.count(count)) more programs are not shown here. All of them are in accesses.csv of the bundle."
    }

    var whenColumn: String { "When" }
    var programColumn: String { "Program" }
    var timesColumn: String { "Times" }
    var durationColumn: String { "How long" }
    var deviceColumn: String { "From" }
    var endedColumn: String { "Ended" }
    var sinceColumn: String { "Kept since" }
    var kindColumn: String { "What" }
    var sizeColumn: String { "Size" }
    var untilColumn: String { "Until" }
    var whatColumn: String { "What" }
    var whyColumn: String { "Why" }
    var declaredColumn: String { "The program says" }
    var enforcedColumn: String { "VoiceGate saw" }
    var handedOnColumn: String { "Handed on" }
    var kindNameColumn: String { "Name in the log" }
    var numberColumn: String { "Records" }
}
