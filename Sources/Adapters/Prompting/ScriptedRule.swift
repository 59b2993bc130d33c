import Authorization

/// One line of a script of answers.
struct ScriptedRule: Sendable, Decodable {
    /// `nil`: any.
    let client: ClientIdentifier?
    /// `nil`: any.
    let resource: Resource?
    /// Which question it answers. `nil`: each that is a request's own and offers the answer; the questions that are put at
    /// a quiet moment and the one for full fidelity are answered only by lines that name them.
    let question: ScriptedQuestion?
    let answer: Answer
    /// Of a yes, where the prompt offers it.
    let fidelity: Fidelity
    /// How many prompts it still answers; `nil`: all.
    var remaining: Int?

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        if let unknown = fields.allKeys.first(where: {
            !["client", "resource", "question", "answer", "fidelity", "times"].contains($0.stringValue)
        }) {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "“\(unknown.stringValue.prefix(40))” is no key of an answer"))
        }
        let word = try fields.decode(String.self, forKey: Key(stringValue: "client"))
        client = word == "*" ? nil : try fields.decode(ClientIdentifier.self, forKey: Key(stringValue: "client"))
        let resourceWord = try fields.decode(String.self, forKey: Key(stringValue: "resource"))
        resource = resourceWord == "*" ? nil : try fields.decode(Resource.self, forKey: Key(stringValue: "resource"))
        question = try fields.decodeIfPresent(ScriptedQuestion.self, forKey: Key(stringValue: "question"))
        answer = try fields.decode(Answer.self, forKey: Key(stringValue: "answer"))
        fidelity = try fields.decodeIfPresent(Fidelity.self, forKey: Key(stringValue: "fidelity")) ?? .full
        remaining = try fields.decodeIfPresent(Int.self, forKey: Key(stringValue: "times"))
        if let remaining, remaining < 1 {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "“times” is less than 1"))
        }
        if let question, !question.answers.contains(answer) {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: [],
                    debugDescription: "“\(answer.rawValue)” is no answer to “\(question.rawValue)”"))
        }
        if question == nil, answer == .always {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: [],
                    debugDescription: "“always” answers only “upgradeToAlways” and “review”; add \"question\""))
        }
    }

    func answers(_ prompt: Prompt) -> Bool {
        guard remaining != 0, client == nil || client == prompt.requester.client.identifier,
            resource == nil || resource == prompt.resource
        else { return false }
        let asked = ScriptedQuestion(prompt.question)
        return question.map { $0 == asked } ?? (asked == .firstUse || asked == .identityChanged)
    }
}
