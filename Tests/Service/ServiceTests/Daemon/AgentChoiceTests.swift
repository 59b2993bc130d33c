import Testing

@testable import Daemon

@Suite("--agent")
struct AgentChoiceTests {
    @Test(
        "who can answer",
        arguments: [
            ("caller", .caller), ("terminal", .terminal), ("script:/a/b.jsonl", .script(path: "/a/b.jsonl")),
            ("script:a:b", .script(path: "a:b")), ("script:", nil), ("script", nil), ("Caller", nil), ("", nil),
            ("nobody", nil),
        ] as [(String, AgentChoice?)])
    func parsing(_ argument: String, _ expected: AgentChoice?) {
        #expect(AgentChoice(argument: argument) == expected)
    }
}
