import Authorization

/// One line of a script of answers.
struct ScriptedRule: Sendable, Decodable {
    /// `nil`: any.
    let client: ClientIdentifier?
    /// `nil`: any.
    let resource: Resource?
    let answer: Answer
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
            !["client", "resource", "answer", "times"].contains($0.stringValue)
        }) {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "“\(unknown.stringValue.prefix(40))” is no key of an answer"))
        }
        let word = try fields.decode(String.self, forKey: Key(stringValue: "client"))
        client = word == "*" ? nil : try fields.decode(ClientIdentifier.self, forKey: Key(stringValue: "client"))
        let resourceWord = try fields.decode(String.self, forKey: Key(stringValue: "resource"))
        resource = resourceWord == "*" ? nil : try fields.decode(Resource.self, forKey: Key(stringValue: "resource"))
        answer = try fields.decode(Answer.self, forKey: Key(stringValue: "answer"))
        remaining = try fields.decodeIfPresent(Int.self, forKey: Key(stringValue: "times"))
        if let remaining, remaining < 1 {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "“times” is less than 1"))
        }
    }

    func answers(_ prompt: Prompt) -> Bool {
        remaining != 0 && (client == nil || client == prompt.requester.client.identifier)
            && (resource == nil || resource == prompt.resource)
    }
}
