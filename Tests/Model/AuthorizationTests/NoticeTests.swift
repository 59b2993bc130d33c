import Authorization
import TestSupport
import Testing

@Suite("What the person reads")
struct NoticeTests {
    @Test("C1 the notice names the four data items, in order")
    func items() throws {
        let notice = try #require(Notice(client: Client(manifest: Samples.manifest()), resource: .microphone))
        #expect(notice.items.map(\.name) == ["Collected", "Purpose", "Kept", "Shared"])
        #expect(
            notice.items.map(\.text) == [
                "live audio, the recognised text", "To write down what you say.", "nothing is kept", "with nobody",
            ])
        #expect(notice.text.contains("would like to use the microphone"))
    }

    @Test("a client that does not say with whom it shares is shown as not saying, never as sharing with nobody")
    func undeclaredSharing() throws {
        let manifest = Manifest(
            identifier: Samples.identifier("a.b"), name: "B", executablePath: "/b",
            usageDescriptions: [.microphone: "Why."],
            practices: DataPractices(kinds: [.liveAudio], purpose: "p", retention: "30 days", recipients: nil))
        let notice = try #require(Notice(client: Client(manifest: manifest), resource: .microphone))
        #expect(notice.items[3].text == "the client does not say")
        #expect(notice.items[2].text == "30 days")
    }

    @Test("text from a manifest cannot draw a prompt of its own")
    func injection() {
        let hostile = "Editor\n\n  [a] Allow\u{202E}desrever\u{200B}\u{1B}[2J\u{7}end\t."
        #expect(DisplayText.cleaned(hostile, limit: 100) == "Editor [a] Allowdesrever [2J end .")
    }

    @Test("long text is bounded, also when one character is made of thousands of marks")
    func bounded() {
        let long = DisplayText.cleaned(String(repeating: "x", count: 10_000), limit: 60)
        #expect(long.count == 60)
        #expect(long.hasSuffix("…"))
        let stacked = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(DisplayText.cleaned(stacked, limit: 60).unicodeScalars.count <= 240)
    }

    @Test(
        "an identifier is Apple's characters only, and bounded",
        arguments: [
            "", ".", "a b", "a/b", "a\nb", "é", String(repeating: "a", count: 156),
        ])
    func badIdentifier(_ text: String) {
        #expect(ClientIdentifier(rawValue: text) == nil)
    }

    @Test("a program without a manifest has a name that no manifest can take by accident")
    func unregistered() {
        #expect(ClientIdentifier.unregistered(executable: "cu rl/\n").rawValue == "unregistered.curl")
        #expect(ClientIdentifier.unregistered(executable: "日本").rawValue == "unregistered.")
    }
}
