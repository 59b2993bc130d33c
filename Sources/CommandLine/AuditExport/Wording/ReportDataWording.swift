/// What was kept, erased and handed on, and what is left to ask.
protocol ReportDataWording: Sendable {
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
    func daysAfterYes(_ days: Int) -> String
    func secondsBack(_ seconds: Int) -> String
}
