import Synchronization

/// A question to the person. An agent shows `notice` and returns one of `answers`.
public struct Prompt: Sendable {
    /// Unguessable; an answer must name it. Good for one answer.
    public let cookie: String
    public let requester: Requester
    public let resource: Resource
    public let question: Question
    public let notice: Notice
    /// For the agent, while the person reads or types.
    public let attention = Attention()

    public init(cookie: String, requester: Requester, resource: Resource, question: Question, notice: Notice) {
        self.cookie = cookie
        self.requester = requester
        self.resource = resource
        self.question = question
        self.notice = notice
    }

    public var answers: [Answer] { question.answers(onceAtMost: requester.isOnceAtMost) }

    /// Whether the person can choose that only the client's phrases are told.
    public var offersFidelity: Bool {
        guard resource == .speechRecognition, requester.client.manifest?.phrases.isEmpty == false else { return false }
        return question == .firstUse
    }
}

/// What the person is asked.
public enum Question: Sendable, Hashable {
    /// The first use of a resource. Always is not among the answers: it is an upgrade.
    case firstUse
    /// The program is not the one that was allowed; `previous` is. A yes is for `current`.
    case identityChanged(previous: AllowedProgram, current: AllowedProgram)
    /// Whether a yes while using is to be one for always. Put once, at a quiet moment.
    case upgradeToAlways
    /// Whether a yes for always is to stay.
    case review
    /// Full fidelity for one session; `purpose` is the client's text for it.
    case temporaryFullFidelity(purpose: String)

    /// What can be answered, in the order of showing.
    ///
    /// - Parameter onceAtMost: for a program that no manifest speaks for.
    public func answers(onceAtMost: Bool = false) -> [Answer] {
        switch self {
        case .firstUse, .identityChanged: onceAtMost ? [.once, .deny, .later] : [.whileInUse, .once, .deny, .later]
        case .upgradeToAlways: [.whileInUse, .always]
        case .review: [.always, .whileInUse, .deny]
        case .temporaryFullFidelity: [.once, .later]
        }
    }

    /// Whether the answer keeps a yes that is there already, and gives no more than that.
    func isRenewed(by answer: Answer) -> Bool {
        switch self {
        case .review: answer.isYes
        case .upgradeToAlways: answer == .whileInUse
        case .firstUse, .identityChanged, .temporaryFullFidelity: false
        }
    }

    /// Whether the gate puts it by itself when the person is not busy, and no request waits for the answer.
    public var waitsForQuietMoment: Bool {
        switch self {
        case .upgradeToAlways, .review: true
        case .firstUse, .identityChanged, .temporaryFullFidelity: false
        }
    }
}

/// What a person can answer to a prompt; `Question.answers` says which of them to which question. Anything else refuses
/// the request and stores nothing.
public enum Answer: String, Sendable, Codable, Hashable, CaseIterable {
    case whileInUse
    case once
    case always
    case deny
    /// "Ask me later": refuses this request and stores nothing.
    case later

    /// Whether the client may listen with it.
    public var isYes: Bool {
        switch self {
        case .whileInUse, .once, .always: true
        case .deny, .later: false
        }
    }
}

/// How the person's answer reached the gate (DPV's `hasIndicationMethod`).
public enum Indication: String, Sendable, Codable, Hashable, CaseIterable {
    /// At the terminal of the process that asked, which showed its own prompt.
    case terminal
    /// At a terminal where `voicegate agent` runs.
    case agent
    /// By a desktop notification.
    case desktop
    /// A script answered in the person's place; only possible in advisory mode.
    case scriptedAgent
    /// `voicegate settings` or `voicegate reset`.
    case settings
    /// Root, for a user of the machine's own service (`voicegate settings --user`). Never the person's own choice.
    case administrator

    /// Of a decision in settings.
    public init(settlingFor user: UInt32, by caller: Caller) {
        self = caller.user == user ? .settings : .administrator
    }
}

/// Where a yes stands on its way from `whileInUse` to `always`.
public enum Upgrade: String, Sendable, Codable, Hashable, CaseIterable {
    /// The client has not asked for always.
    case notRequested
    /// The client asked for always, and the person will be asked once, at a quiet moment. Until then the client is told
    /// `always`, and nothing that needs it happens.
    case provisional
    /// The person was shown the question. It is not put again; settings alone change it.
    case asked
}

/// Asks the person. The gate asks through one agent and waits for it.
public protocol Agent: Sendable {
    /// Whether there is somebody who could be shown the prompt. Asked before it is written down that it was shown.
    func canAsk(_ prompt: Prompt) async -> Bool

    /// Shows the prompt and returns the person's answer.
    ///
    /// Cancelled when nobody waits for the answer any more, or when the time to answer is over; the prompt must then be
    /// withdrawn. Any error means that the person did not answer: the request is refused and nothing is stored.
    func ask(_ prompt: Prompt) async throws -> AgentReply
}

extension Agent {
    public func canAsk(_ prompt: Prompt) async -> Bool { true }
}

/// An answer and the way it came.
public struct AgentReply: Sendable, Hashable {
    public let answer: Answer
    /// How much a yes allows; only a client that declares phrases can be given less than `full`.
    public let fidelity: Fidelity
    public let indication: Indication

    public init(answer: Answer, fidelity: Fidelity = .full, indication: Indication) {
        self.answer = answer
        self.fidelity = fidelity
        self.indication = indication
    }
}

/// Tells the gate that the person is busy with a prompt right now: the time to answer does not run out meanwhile.
public final class Attention: Sendable {
    private let count = Mutex(0)

    public init() {}

    /// A key was pressed, the notification is pointed at, and the like.
    public func renew() { count.withLock { $0 += 1 } }

    /// How often it was renewed so far.
    var renewals: Int { count.withLock { $0 } }
}
