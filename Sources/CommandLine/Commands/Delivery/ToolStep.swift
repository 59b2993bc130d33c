/// One call of a tool. Text of the person's is never among the arguments, where it could be taken for an option.
struct ToolStep: Sendable, Hashable {
    let arguments: [String]
    /// `nil`: it reads nothing.
    let input: String?

    init(_ arguments: [String], input: String? = nil) {
        self.arguments = arguments
        self.input = input
    }
}
