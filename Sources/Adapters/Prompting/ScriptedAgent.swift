import Authorization
import Foundation
import LinuxSystem
import Synchronization

/// Answers from a file instead of the user, for machines without a terminal and for tests; records name it as the source.
///
/// Each line is a JSON object, and the first that matches answers. `*` matches any. `times` (optional) limits how often a line
/// answers; `fidelity` (optional) is that of a grant, if the prompt offers a choice. Without `question` a line answers the
/// first use of a resource and the first one after its program has changed; `upgradeToAlways`, `review` and
/// `temporaryFullFidelity` must be named:
///
/// ```
/// {"client":"org.example.notes","resource":"microphone","answer":"deny","times":1}
/// {"client":"*","resource":"*","answer":"whileInUse","fidelity":"reduced"}
/// {"client":"*","resource":"*","question":"upgradeToAlways","answer":"always"}
/// ```
public final class ScriptedAgent: Agent {
    /// Bytes.
    static let sizeLimit = 64_000
    /// Bytes; also bounds how deep a line can nest.
    static let lineLimit = 2_000

    private let rules: Mutex<[ScriptedRule]>

    /// - Throws: `badScript`, with the line.
    public init(path: String) throws(PromptingError) {
        do {
            rules = Mutex(try Self.parse(try RegularFile(path: path, limit: Self.sizeLimit).data, path))
        } catch let error as PromptingError {
            throw error
        } catch {
            throw PromptingError(code: .badScript, message: "The script of answers cannot be read: \(error)")
        }
    }

    public func canAsk(_ prompt: Prompt) async -> Bool { rules.withLock { $0.contains { $0.answers(prompt) } } }

    public func ask(_ prompt: Prompt) async throws -> AgentReply {
        let rule: ScriptedRule? = rules.withLock { rules in
            guard let index = rules.firstIndex(where: { $0.answers(prompt) }) else { return nil }
            rules[index].remaining? -= 1
            return rules[index]
        }
        guard let rule else {
            throw PromptingError(
                code: .noAnswer,
                message:
                    "The script has no answer for \(prompt.requester.client.identifier) and \(prompt.resource.phrase). "
                    + "Add a line for it.")
        }
        let fidelity = prompt.offersFidelity ? rule.fidelity : .full
        return AgentReply(answer: rule.answer, fidelity: fidelity, indication: .scriptedAgent)
    }

    private static func parse(_ data: Data, _ path: String) throws(PromptingError) -> [ScriptedRule] {
        var rules: [ScriptedRule] = []
        for (index, line) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            guard line.count <= lineLimit else { throw bad(path, index, "it is longer than \(lineLimit) bytes") }
            do {
                rules.append(try JSONDecoder().decode(ScriptedRule.self, from: Data(line)))
            } catch let error as DecodingError {
                throw bad(path, index, explain(error))
            } catch {
                throw bad(path, index, "it is not a JSON object")
            }
        }
        return rules
    }

    private static func bad(_ path: String, _ index: Int, _ reason: String) -> PromptingError {
        PromptingError(
            code: .badScript,
            message: "Line \(index + 1) of \(path) is not an answer: \(reason). "
                + #"Write {"client":"*","resource":"*","answer":"once"}, or whileInUse, deny or later."#)
    }

    private static func explain(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "“\(key.stringValue)” is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            context.codingPath.last.map { "“\($0.stringValue)” has the wrong type" } ?? "it is not a JSON object"
        case .dataCorrupted(let context):
            context.codingPath.last.map { "“\($0.stringValue)” has an unknown value" }
                ?? context.debugDescription.lowerFirst
        @unknown default: "it is not a JSON object"
        }
    }
}

extension String {
    /// Without its final dot and with a small first letter, to continue a sentence.
    fileprivate var lowerFirst: String {
        let text = hasSuffix(".") ? String(dropLast()) : self
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

/// One line of a script of answers.
struct ScriptedRule: Sendable, Decodable {
    /// `nil`: any.
    let client: ClientIdentifier?
    /// `nil`: any.
    let resource: Resource?
    /// The question that it answers. `nil`: the questions of a request itself. The later questions and the one for full
    /// fidelity must be named.
    let question: Question.Kind?
    let answer: Answer
    /// Of a grant, if the prompt offers a choice.
    let fidelity: Fidelity
    /// How many more prompts it answers; `nil`: all.
    var remaining: Int?

    private struct Key: CodingKey, ExpressibleByStringLiteral {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init(stringLiteral value: String) { stringValue = value }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        func refusal(_ reason: String) -> DecodingError {
            .dataCorrupted(.init(codingPath: [], debugDescription: reason))
        }
        let fields = try decoder.container(keyedBy: Key.self)
        let known: Set = ["client", "resource", "question", "answer", "fidelity", "times"]
        if let unknown = fields.allKeys.first(where: { !known.contains($0.stringValue) }) {
            throw refusal("“\(unknown.stringValue.prefix(40))” is not a key of an answer")
        }
        let isAnyClient = try fields.decode(String.self, forKey: "client") == "*"
        client = isAnyClient ? nil : try fields.decode(ClientIdentifier.self, forKey: "client")
        let isAnyResource = try fields.decode(String.self, forKey: "resource") == "*"
        resource = isAnyResource ? nil : try fields.decode(Resource.self, forKey: "resource")
        question = try fields.decodeIfPresent(Question.Kind.self, forKey: "question")
        answer = try fields.decode(Answer.self, forKey: "answer")
        fidelity = try fields.decodeIfPresent(Fidelity.self, forKey: "fidelity") ?? .full
        remaining = try fields.decodeIfPresent(Int.self, forKey: "times")
        if let remaining, remaining < 1 { throw refusal("“times” is less than 1") }
        if let question, !question.answers().contains(answer) {
            throw refusal("“\(answer.rawValue)” is not an answer to “\(question.rawValue)”")
        }
        if question == nil, answer == .always {
            throw refusal("“always” answers only “upgradeToAlways” and “review”; add \"question\"")
        }
    }

    func answers(_ prompt: Prompt) -> Bool {
        guard remaining != 0, client == nil || client == prompt.requester.client.identifier,
            resource.map(prompt.resources.contains) ?? true
        else { return false }
        let asked = prompt.question.kind
        return question.map { $0 == asked } ?? [.firstUse, .identityChanged, .termsWidened].contains(asked)
    }
}
