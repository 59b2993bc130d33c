import Base

/// Every text about permissions that the person reads, in one language. A missing text does not compile. Clients' names and
/// texts are cleaned by the caller (`DisplayText`).
public protocol Wording: Sendable {
    /// The resource as a sentence names it.
    func name(of resource: Resource) -> String
    func name(of kind: DataKind) -> String
    func name(of fidelity: Fidelity) -> String
    /// The name of a program without a manifest that uses another client.
    func name(ofProgram program: String, usedWith client: String) -> String

    /// How much a program has grown since it was allowed, in a sentence.
    ///
    /// - Parameter bytes: negative if it became smaller.
    func growth(_ bytes: Int64) -> String

    /// The title of a prompt.
    ///
    /// - Parameter resources: what the answer decides, in the order of `Resource.allCases`; not empty.
    func title(_ question: Question, client: String, resources: [Resource]) -> String
    /// The title of a notice in settings, which asks nothing.
    func settingsTitle(client: String, resource: Resource) -> String

    // The names of a notice's four items.
    var collected: String { get }
    var purpose: String { get }
    var kept: String { get }
    var shared: String { get }

    /// The name of the item that says what recognises speech.
    var recognised: String { get }
    /// Continues `recognised`.
    func recognised(onThisMachineBy engine: String) -> String

    /// The name of the item that says which program asks.
    var program: String { get }
    var programIsUnknown: String { get }
    /// - Parameter origin: what installed it; `nil`: no package of the system.
    func program(_ path: String, from origin: String?) -> String
    func package(_ name: String) -> String
    /// - Parameter program: a text of `program(_:from:)`.
    func mayRunOtherCode(_ program: String) -> String
    /// The items of a prompt that the one before it showed, too.
    var asAbove: String { get }
    /// What to press.
    ///
    /// - Parameter keys: not empty.
    func hint(keys: [String]) -> String

    /// The name of the client's reason (its usage description).
    var reason: String { get }
    /// The name of the client's phrases.
    var phrases: String { get }
    /// - Parameter quoted: a list.
    func list(of count: Int, phrases quoted: String) -> String
    func phrase(_ phrase: String) -> String
    /// The lines that are not shown yet.
    ///
    /// - Parameter count: at least one.
    func more(_ count: Int) -> String
    /// Continues `more`: the key or button that shows them.
    func more(_ count: Int, by key: Character) -> String
    /// The name of the key or button that shows everything.
    var everything: String { get }
    /// The keys at the end of a page of everything.
    func page(_ number: Int, of count: Int) -> String

    /// The name of what the client declares beyond its grant.
    var new: String { get }
    /// It continues another text of the same kind.
    func text(of addition: Addition) -> String
    /// The name of what the client does in the background.
    var inBackground: String { get }
    func text(of mode: BackgroundMode) -> String
    /// - Parameter command: safe to show.
    func start(_ command: String) -> String

    var listSeparator: String { get }
    var nothingIsKept: String { get }
    /// A sentence: what VoiceGate itself keeps, how long and where.
    func keptByService(_ kind: DataKind, _ time: KeepingTime) -> String
    func duration(_ count: Int, _ unit: KeepingUnit) -> String
    var untilWithdrawn: String { get }
    var sharedWithNobody: String { get }
    func sharedWith(_ recipients: String) -> String
    /// Continues `sharedWith` or `sharedWithNobody`; the name and the purpose are safe to show.
    func recordsShared(with collector: RecordCollector) -> String
    /// The manifest does not mention recipients; that does not promise that there are none.
    var sharingNotDeclared: String { get }

    /// - Parameter answers: all answers of the question; the same answer has another name beside others.
    func name(of answer: Answer, among answers: AnswerSet) -> String
    func outcome(of answer: Answer) -> String
    /// The prompt ended without an answer.
    var noAnswer: String { get }

    /// What the user confirms with a password, in sentences. The texts in it are safe to show.
    func text(of act: ConfirmedAct) -> String

    /// What was refused, by whom and when, and what to do next. Commands and keys are the same in every language.
    ///
    /// - Parameter command: that of the reason (`RefusalReason.row`); empty: none.
    func refusal(_ reason: RefusalReason, client: String, resource: Resource, command: String) -> String
}

extension Wording {
    /// Follows the client's own text, which may not end as a sentence does.
    var sentenceSeparator: String { " — " }

    /// Their number, then all of them.
    func list(ofPhrases phrases: [String]) -> String {
        list(of: phrases.count, phrases: phrases.map(phrase).joined(separator: listSeparator))
    }

    /// The path of a program in a title; `nil`: unknown.
    func path(of program: AllowedProgram) -> String? {
        program.path.map { DisplayText.unquoted(DisplayText.cleaned($0, limit: 100)) }
    }

    func text(of additions: [Addition]) -> String {
        additions.map(text(of:)).joined(separator: sentenceSeparator)
    }

    func start(_ command: [String]) -> String {
        start(DisplayText.cleaned(DisplayText.escaped(command.joined(separator: " "))))
    }

    public func retention(_ time: KeepingTime) -> String {
        if case .limited(let count, let unit) = time { duration(count, unit) } else { untilWithdrawn }
    }
}

/// The kind of question that a set of answers belongs to, for a prompt that came over the socket.
public enum AnswerSet: Sendable, Hashable {
    /// A first use, or the first use of a changed program.
    case firstUse
    /// Keep "while using", or change to "always".
    case upgrade
    /// Keep "always", or not.
    case review
    /// Every word of one session.
    case temporary

    public init(_ answers: [Answer]) {
        switch (answers.contains(.always), answers.contains(.deny)) {
        case (true, false): self = .upgrade
        case (true, true): self = .review
        case (false, false): self = .temporary
        case (false, true): self = .firstUse
        }
    }
}
