import Authorization
import Prompting
import TestSupport
import Testing

@Suite("The scripted agent")
struct ScriptedAgentTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func agent(_ text: String) throws -> ScriptedAgent {
        try ScriptedAgent(path: folder.write(text, to: "answers"))
    }

    @Test("the first line that matches answers, and the answer is recorded as scripted")
    func firstMatch() async throws {
        let agent = try agent(
            """
            {"client":"org.example.notes","resource":"microphone","answer":"deny"}

            {"client":"*","resource":"microphone","answer":"once"}
            {"client":"org.example.notes","resource":"*","answer":"later"}
            {"client":"*","resource":"*","answer":"whileInUse"}
            """)
        let reply = try await agent.ask(.example())
        #expect(reply == AgentReply(answer: .deny, indication: .scriptedAgent))
        #expect(try await agent.ask(.example(client: "org.example.other")).answer == .once)
        #expect(try await agent.ask(.example(resource: .speechRecognition)).answer == .later)
        #expect(try await agent.ask(.example(client: "a", resource: .speechRecognition)).answer == .whileInUse)
    }

    @Test("a line without a question answers a request's own questions and no others")
    func questions() async throws {
        let plain = try agent(#"{"client":"*","resource":"*","answer":"whileInUse"}"#)
        let previous = AllowedProgram(sha256: "aa", path: nil)
        let changed = try Prompt.example(question: .identityChanged(previous: previous, current: previous))
        #expect(try await plain.ask(changed).answer == .whileInUse)
        for question in [Question.upgradeToAlways, .review, .temporaryFullFidelity(purpose: "Names.")] {
            let prompt = try Prompt.example(question: question)
            #expect(await !plain.canAsk(prompt))
            #expect(await failure(PromptingError.self) { try await plain.ask(prompt) }?.code == .noAnswer)
        }
        let named = try agent(
            """
            {"client":"*","resource":"*","question":"upgradeToAlways","answer":"always"}
            {"client":"*","resource":"*","question":"review","answer":"deny"}
            {"client":"*","resource":"*","question":"temporaryFullFidelity","answer":"once"}
            """)
        #expect(try await named.ask(.example(question: .upgradeToAlways)).answer == .always)
        #expect(try await named.ask(.example(question: .review)).answer == .deny)
        #expect(try await named.ask(.example(question: .temporaryFullFidelity(purpose: "N."))).answer == .once)
        #expect(try await !named.canAsk(.example()))
    }

    @Test("a grant is limited to phrases only if the line says so and the prompt offers it")
    func fidelity() async throws {
        let agent = try agent(#"{"client":"*","resource":"*","answer":"whileInUse","fidelity":"reduced"}"#)
        let offering = try Prompt.example(resource: .speechRecognition, phrases: ["lights on"])
        #expect(try await agent.ask(offering).fidelity == .reduced)
        #expect(try await agent.ask(.example(resource: .speechRecognition)).fidelity == .full)
        #expect(try await agent.ask(.example(phrases: ["lights on"])).fidelity == .full)
    }

    @Test("a line answers as often as `times` says, then the next one does")
    func times() async throws {
        let agent = try agent(
            """
            {"client":"*","resource":"*","answer":"deny","times":2}
            {"client":"*","resource":"*","answer":"once","times":1}
            """)
        for answer in [Answer.deny, .deny, .once] { #expect(try await agent.ask(.example()).answer == answer) }
        #expect(await failure(PromptingError.self) { try await agent.ask(.example()) }?.code == .noAnswer)
    }

    @Test("a prompt without a matching line is not answered")
    func noMatch() async throws {
        let agent = try agent(#"{"client":"org.example.notes","resource":"microphone","answer":"once"}"#)
        let prompt = try Prompt.example(resource: .speechRecognition)
        #expect(await failure(PromptingError.self) { try await agent.ask(prompt) }?.code == .noAnswer)
        await #expect(throws: PromptingError.self) { try await self.agent("").ask(.example()) }
    }

    @Test(
        "a malformed line is reported when the agent is created",
        arguments: [
            "once", "{}", "[]", #"{"client":"*","resource":"*"}"#, #"{"client":"*","resource":"*","answer":"yes"}"#,
            #"{"client":"*","resource":"all","answer":"once"}"#, #"{"client":"a b","resource":"*","answer":"once"}"#,
            #"{"client":"*","resource":"*","answer":"once","time":1}"#,
            #"{"client":"*","resource":"*","answer":"once","times":0}"#,
            #"{"client":"*","resource":"*","answer":"once","times":"1"}"#,
            #"{"client":"*","resource":"*","answer":"always"}"#,
            #"{"client":"*","resource":"*","answer":"once","fidelity":"some"}"#,
            #"{"client":"*","resource":"*","question":"upgradeToAlways","answer":"once"}"#,
            #"{"client":"*","resource":"*","question":"any","answer":"once"}"#,
            #"{"client":"*","resource":"*","answer":"once"}{}"#, String(repeating: "[", count: 1900),
            String(repeating: " ", count: 2001) + "x", "\u{0}",
        ])
    func malformed(line: String) throws {
        let good = #"{"client":"*","resource":"*","answer":"once"}"#
        let error = #expect(throws: PromptingError.self) { try agent(good + "\n" + line + "\n" + good) }
        #expect(error?.code == .badScript)
        #expect(error?.message.hasPrefix("Line 2 of ") == true)
    }

    @Test("a script that cannot be read is an error at once", arguments: ["/nowhere/answers", "/dev/zero", "/tmp"])
    func unreadable(path: String) {
        #expect(failure(PromptingError.self) { try ScriptedAgent(path: path) }?.code == .badScript)
    }

    @Test("an endless script is refused")
    func tooLarge() { #expect(throws: PromptingError.self) { try agent(String(repeating: "\n", count: 64_001)) } }
}
