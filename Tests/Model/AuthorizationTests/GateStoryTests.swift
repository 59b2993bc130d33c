import Testing

@Suite("Stories of the gate", .timeLimit(.minutes(2)))
struct GateStoryTests {
    @Test("the gate does what the stories say", arguments: Story.all)
    func story(_ story: Story) async { await story.run() }

    @Test("a step that comes to something else is noticed, and so is an unknown action")
    func noticed() async {
        #expect(Story.matches("denied noAnswer", "denied…") && Story.matches("a b c", "…b…"))
        #expect(
            !Story.matches("denied noAnswer", "denied") && !Story.matches("a b", "…b…a")
                && !Story.matches("failed", nil) && !Story.matches("no", nil)
                && !Story.matches("authorized, denied", nil))
        let mistakes = [
            "dance", "count grantd", "count denied -> 0", "end A -> authorized", "hold typo", "finish L", "cancel A",
            "release", "until shown", "answers firstUse=whilInUse", "answers",
        ]
        for action in mistakes {
            let outcome = await StoryWorld().take(Story.Step(line: 1, action: action, expected: nil))
            #expect(!Story.matches(outcome, nil), "\(action) → \(outcome)")
        }
    }
}
