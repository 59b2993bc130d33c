import Authorization

/// What was asked and answered, and how programs stand.
protocol ReportAnswerWording: Sendable {
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
}
