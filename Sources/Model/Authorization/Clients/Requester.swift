/// Who asks the gate: the process, the application it was found to be, and where it stood when it asked.
public struct Requester: Sendable, Hashable {
    public let caller: Caller
    public let client: Client
    public let presence: Presence
    /// In which it is told why it is refused.
    public let language: Language
    /// In which the person is asked. Not for any program to choose: a question that cannot be read is no question.
    public let noticeLanguage: Language

    /// - Parameter noticeLanguage: default: `language`.
    public init(
        caller: Caller, client: Client, presence: Presence, language: Language = .english,
        noticeLanguage: Language? = nil
    ) {
        self.caller = caller
        self.client = client
        self.presence = presence
        self.language = language
        self.noticeLanguage = noticeLanguage ?? language
    }
}

extension Requester {
    public func key(for resource: Resource) -> DecisionKey {
        DecisionKey(user: caller.user, client: client.identifier, resource: resource)
    }

    /// A program that no manifest speaks for can be allowed once, never for longer.
    public var isOnceAtMost: Bool { client.isOnceAtMost }
}
