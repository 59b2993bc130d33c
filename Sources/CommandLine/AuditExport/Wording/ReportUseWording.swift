/// Who listened.
protocol ReportUseWording: Sendable {
    var nobodyListened: String { get }
    var allPrograms: String { get }
    /// - Parameter tallest: how long the highest bar stands for.
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
}
