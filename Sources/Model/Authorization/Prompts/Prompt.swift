import Base
import Synchronization

/// A question to the person. An agent shows `notice` and returns one of `answers`.
public struct Prompt: Sendable {
    /// Unguessable; an answer must name it. Good for one answer.
    public let cookie: String
    public let requester: Requester
    public let resource: Resource
    /// What the answer decides: `resource`, and at a quiet moment others of the client beside it.
    public let resources: [Resource]
    public let question: Question
    public let notice: Notice
    /// Renewed by the agent while the person reads or types.
    public let attention = Attention()
    /// Set when the gate is done with the prompt.
    let end = Latch<PromptEnd>()

    public init(
        cookie: String, requester: Requester, resource: Resource, and others: [Resource] = [], question: Question,
        notice: Notice
    ) {
        self.cookie = cookie
        self.requester = requester
        self.resource = resource
        self.resources = [resource] + others
        self.question = question
        self.notice = notice
    }

    var key: DecisionKey { requester.key(for: resource) }

    /// In the order of `resources`.
    var keys: [DecisionKey] { resources.map(requester.key(for:)) }

    /// Waits until the answer that was given is recorded.
    ///
    /// - Parameter limit: afterwards, and in a cancelled task, it counts as not recorded.
    /// - Returns: `false` if the prompt was withdrawn before the answer counted.
    /// - Throws: `recordingFailed`; a denial is then in force until the service ends.
    public func settled(within limit: Duration = .seconds(30)) async throws(AuthorizationError) -> Bool {
        let end = await end.value(within: limit) ?? .unrecorded
        guard end != .unrecorded else { throw AuthorizationError(.recordingFailed, resource, requester) }
        return end == .recorded
    }

    /// The same prompt in the records of an answer that the user confirmed.
    ///
    /// - Parameter dialog: what the dialog said; `nil`: it was not confirmed.
    func confirmed(by dialog: String?) -> Prompt {
        Prompt(
            cookie: cookie, requester: requester, resource: resource, and: Array(resources.dropFirst()),
            question: question, notice: notice.confirmed(by: dialog))
    }

    /// The same prompt in the records about one of its resources, with what was agreed to about that one.
    func about(_ resource: Resource) -> Prompt {
        let declared = requester.client.declared(resource, in: notice.language)
        return Prompt(
            cookie: cookie, requester: requester, resource: resource, and: resources.filter { $0 != resource },
            question: question, notice: resource == self.resource ? notice : declared.map(notice.agreeing) ?? notice)
    }

    /// What agents show: the program that asks, as the kernel and the package manager report it, because its name is its own
    /// claim; then the notice's items. The records of the prompt have the program in their own fields.
    public var items: [(name: String, text: String)] {
        let wording = notice.language.wording
        return [(wording(.program), requester.caller.shown(in: wording))] + notice.items
    }

    public var answers: [Answer] { question.answers(onceAtMost: requester.isOnceAtMost) }

    /// Whether the person can restrict the client to its phrases.
    public var offersFidelity: Bool {
        resource == .speechRecognition && question == .firstUse
            && requester.client.manifest?.phrases.isEmpty == false
    }
}

extension Caller {
    /// The path of the program, safe to show; `nil`: the program is unknown.
    var shownPath: String? { responsible?.processIdentifier == 0 ? nil : DisplayText.cleaned(executable.path) }

    func shown(in wording: Wording) -> String {
        guard let path = shownPath else { return wording(.programIsUnknown) }
        let package = executable.package.map { wording.package(name: $0) }
        return switch evidence {
        case .flatpak(let name): wording.program(path, from: "Flatpak \(DisplayText.cleaned(name, limit: 100))")
        case .snap(let name): wording.program(path, from: "snap \(DisplayText.cleaned(name, limit: 100))")
        case .interpreter: wording.mayRunOtherCode(program: wording.program(path, from: package))
        case .script, .executable, .untrusted: wording.program(path, from: package)
        }
    }
}

/// What became of a prompt.
enum PromptEnd: Sendable {
    /// Its answer is durable.
    case recorded
    /// Its answer could not be recorded.
    case unrecorded
    /// No answer to it counts: there was none, or something else was decided meanwhile.
    case withdrawn
    /// Nobody could be asked, or it was withdrawn before it was shown.
    case notShown
}

/// What the person is asked.
public enum Question: Sendable, Hashable {
    /// The first use of a resource.
    case firstUse
    /// The program has changed since it was allowed.
    case identityChanged(previous: AllowedProgram, current: AllowedProgram)
    /// The client declares more than the person was shown.
    case termsWidened
    /// Whether to extend a grant while using to always. Asked once, at a quiet moment.
    case upgradeToAlways
    /// Whether to keep a grant for always.
    case review
    /// Full fidelity for one session; `purpose` is the client's reason.
    case temporaryFullFidelity(purpose: String)

    /// The question without its details, as records, settings and scripts of answers name it.
    public enum Kind: String, Sendable, Codable, Hashable, CaseIterable {
        case firstUse, identityChanged, termsWidened, upgradeToAlways, review, temporaryFullFidelity

        /// The possible answers, in the order of showing.
        ///
        /// - Parameter onceAtMost: for a program without a manifest.
        public func answers(onceAtMost: Bool = false) -> [Answer] {
            switch self {
            case .firstUse, .identityChanged, .termsWidened:
                onceAtMost ? [.once, .deny, .later] : [.whileInUse, .once, .deny, .later]
            case .upgradeToAlways: [.whileInUse, .always]
            case .review: [.always, .whileInUse, .deny]
            case .temporaryFullFidelity: [.once, .later]
            }
        }
    }

    public var kind: Kind {
        switch self {
        case .firstUse: .firstUse
        case .identityChanged: .identityChanged
        case .termsWidened: .termsWidened
        case .upgradeToAlways: .upgradeToAlways
        case .review: .review
        case .temporaryFullFidelity: .temporaryFullFidelity
        }
    }

    public func answers(onceAtMost: Bool = false) -> [Answer] { kind.answers(onceAtMost: onceAtMost) }

    /// Whether the answer keeps an existing grant without extending it.
    func isRenewed(by answer: Answer) -> Bool {
        switch self {
        case .review: answer.isYes
        case .upgradeToAlways: answer == .whileInUse
        case .firstUse, .identityChanged, .termsWidened, .temporaryFullFidelity: false
        }
    }

    /// Whether the gate itself asks it at a quiet moment, and no request waits for the answer.
    public var waitsForQuietMoment: Bool { self == .upgradeToAlways || self == .review }
}

/// A person's answer to a prompt. An answer that the question does not offer refuses the request and stores nothing.
public enum Answer: String, Sendable, Codable, Hashable, CaseIterable {
    case whileInUse
    case once
    case always
    case deny
    /// "Ask me later": refuses this request and stores nothing.
    case later

    public var isYes: Bool { self != .deny && self != .later }
}

/// Asks the person.
public protocol Agent: Sendable {
    /// Whether the prompt can be shown to somebody. Called before it is recorded as shown.
    func canAsk(_ prompt: Prompt) async -> Bool

    /// Yields at once, and when somebody came for whom `canAsk` may be true now.
    ///
    /// - Returns: `nil` if nobody else can come.
    func arrivals() async -> AsyncStream<Void>?

    /// Shows the prompt and returns the person's answer.
    ///
    /// Cancelled if no request waits for the answer or the time to answer is over; the prompt must then be
    /// withdrawn. Any error means that the person did not answer: the request is refused and nothing is stored.
    func ask(_ prompt: Prompt) async throws -> AgentReply
}

extension Agent {
    public func canAsk(_ prompt: Prompt) async -> Bool { true }

    public func arrivals() async -> AsyncStream<Void>? { nil }
}

/// An answer and how it was given.
public struct AgentReply: Sendable, Hashable {
    public let answer: Answer
    /// Less than `full` only counts for a client that declares phrases.
    public let fidelity: Fidelity
    public let indication: Indication
    /// What the dialog said in which the user confirmed the answer; `nil`: none was shown.
    public let confirmation: String?

    public init(answer: Answer, fidelity: Fidelity = .full, indication: Indication, confirmation: String? = nil) {
        self.answer = answer
        self.fidelity = fidelity
        self.indication = indication
        self.confirmation = confirmation
    }
}

/// Extends the time to answer while the person is busy with a prompt.
public final class Attention: Sendable {
    private let count = Mutex(0)

    public init() {}

    /// Call when the person does something with the prompt, such as pressing a key.
    public func renew() { count.withLock { $0 += 1 } }

    var renewals: Int { count.withLock { $0 } }
}
