import Foundation

/// All that a person reads about permissions, in one language. A text that is missing does not compile.
public protocol Wording: NoticeWording, AnswerWording, RefusalWording {
    /// How a sentence names the resource.
    func name(of resource: Resource) -> String
}

/// The words of a notice. Names and texts of clients come cleaned.
public protocol NoticeWording: Sendable {
    /// - Parameter client: the name as it is shown.
    func title(_ question: Question, client: String, resource: Resource) -> String
    /// Above what settings show of a client and a resource, where nothing is asked.
    func settingsTitle(client: String, resource: Resource) -> String

    /// The names of the four items: what is collected, for what, how long it is kept, and who else gets it.
    var collected: String { get }
    var purpose: String { get }
    var kept: String { get }
    var shared: String { get }

    func name(of kind: DataKind) -> String
    /// Between the members of a list.
    var listSeparator: String { get }
    var nothingIsKept: String { get }
    /// A sentence: VoiceGate itself keeps it, for how long, and where.
    func keptByService(_ kind: DataKind, _ time: KeepingTime) -> String
    /// How long, as a person says it.
    func duration(_ count: Int, _ unit: KeepingUnit) -> String
    /// A retention in words of ours.
    func retention(_ time: KeepingTime) -> String
    /// Behind a retention in the client's words, which may not end as a sentence does.
    var sentenceSeparator: String { get }
    var sharedWithNobody: String { get }
    func sharedWith(_ recipients: String) -> String
    /// The manifest is silent about recipients, which is no promise that there are none.
    var sharingNotDeclared: String { get }
    /// The name of a program without a manifest that uses another client.
    func name(ofProgram program: String, usedWith client: String) -> String
}

/// The words of the answers to a prompt and of what they came to.
public protocol AnswerWording: Sendable {
    /// - Parameter answers: all that can be given to the question; the same answer reads otherwise beside others.
    func name(of answer: Answer, among answers: AnswerSet) -> String
    func outcome(of answer: Answer) -> String
    /// What a yes lets the client have, beside the answers.
    func name(of fidelity: Fidelity) -> String
    /// The prompt ended without an answer.
    var noAnswer: String { get }
}

/// The words of refusals: what was refused, by whom and when, and what to do next. Commands and keys stay as they are in
/// every language.
public protocol RefusalWording: Sendable {
    /// - Parameter reason: the administrator's own words.
    func restricted(_ client: String, _ resource: Resource, reason: String?) -> String
    func muted(_ client: String, _ resource: Resource, command: String) -> String
    func denied(_ client: String, _ resource: Resource, on day: DateComponents, command: String) -> String
    func identityChanged(_ client: String, _ resource: Resource, program: String, command: String) -> String
    func inUseOnce(_ client: String, _ resource: Resource) -> String
    func notDetermined(_ client: String, _ resource: Resource, command: String) -> String
    /// In the background and not decided: nobody is asked.
    func notAskedInBackground(_ client: String, _ resource: Resource) -> String
    /// In the background, with a yes for always that is not confirmed yet.
    func alwaysNotConfirmed(_ client: String, _ resource: Resource, command: String) -> String
    /// In the background, with a yes while using.
    func onlyWhileInUse(_ client: String, _ resource: Resource, command: String) -> String
    func notAnUpgrade(_ client: String, command: String) -> String
    func alreadyFull(_ client: String) -> String
    func missingPurpose(_ client: String, purposeKey: String) -> String
    func noManifest(key: String, place: String) -> String
    func missingUsageDescription(_ client: String, key: String) -> String
    func noAnswer(_ client: String, _ resource: Resource, command: String) -> String
    var tooManyRequests: String { get }
    /// It asked so often without a decision that the person is left alone for a while.
    func tooManyPrompts(_ client: String, seconds: Int64, command: String) -> String
    var recordingFailed: String { get }
}

/// What kind of question a set of answers belongs to, for a prompt that came over the socket.
public enum AnswerSet: Sendable, Hashable {
    /// A first use, or the first since the program changed.
    case firstUse
    /// Keep "while using", or change to "always".
    case upgrade
    /// Keep "always", or not.
    case review
    /// All, for one session.
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
