/// A question to the person. An agent shows `notice` and returns the answer.
public struct Prompt: Sendable {
    /// Unguessable; an answer must name it. Good for one answer.
    public let cookie: String
    public let requester: Requester
    public let resource: Resource
    public let notice: Notice

    public init(cookie: String, requester: Requester, resource: Resource, notice: Notice) {
        self.cookie = cookie
        self.requester = requester
        self.resource = resource
        self.notice = notice
    }
}
