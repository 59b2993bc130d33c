/// All that a person reads about permissions, in one language. A text that is missing does not compile.
public protocol Wording: NoticeWording, AnswerWording, RefusalWording {
    /// How a sentence names the resource.
    func name(of resource: Resource) -> String
}
