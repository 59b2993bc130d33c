/// What stands around the sections, and the summary.
protocol ReportFrameWording: Sendable {
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
    var yesesAndNoes: String { get }
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
}
