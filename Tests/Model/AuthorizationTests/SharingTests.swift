import Authorization
import TestSupport
import Testing

@Suite("Whether audio leaves the machine")
struct SharingTests {
    private func client(_ recipients: [String]?) -> Client {
        Client(
            manifest: Manifest(
                identifier: Samples.identifier("a.b"), name: "B", executablePath: "/b",
                usageDescriptions: [.microphone: "Why."],
                practices: DataPractices(
                    kinds: [.liveAudio], purpose: "p", retention: nil, recipients: recipients)))
    }

    @Test("a client without a network is verified, whatever it says; else its word counts, and its silence is no word")
    func sharing() {
        for recipients in [nil, [], ["Example GmbH"]] as [[String]?] {
            #expect(Sharing(client(recipients).manifest?.practices, hasNetwork: false) == .verified)
        }
        #expect(Sharing(client([]).manifest?.practices) == .declared)
        #expect(Sharing(client(["Example GmbH"]).manifest?.practices) == .shared)
        #expect(Sharing(client(nil).manifest?.practices) == .undeclared)
        #expect(Sharing(nil) == .undeclared)
    }

    @Test("the service's own engine is no recipient; one outside is, beside those that the client names, and once")
    func engines() {
        let ours = SpeechEngine.ofService
        let theirs = SpeechEngine.outside(name: "Example Cloud")
        #expect(Recipients.of(client([]), engine: ours).isEmpty)
        #expect(Recipients.of(client(nil), engine: ours).isEmpty)
        #expect(Recipients.of(client([]), engine: theirs) == ["Example Cloud"])
        #expect(Recipients.of(client(nil), engine: theirs) == ["Example Cloud"])
        #expect(Recipients.of(client(["Example GmbH"]), engine: theirs) == ["Example GmbH", "Example Cloud"])
        #expect(Recipients.of(client(["Example Cloud"]), engine: theirs) == ["Example Cloud"])
    }

    @Test("what was shared in a session is written down only where somebody receives it")
    func sharedData() {
        let session = SessionDescription(
            identifier: "s", requester: Samples.requester(), grants: [:], device: nil)
        #expect(session.sharing == .declared)
        #expect(SharedData(declaredIn: session) == nil)
        #expect(SharedData(sentIn: session) == nil)
        let elsewhere = SessionDescription(
            identifier: "s", requester: Samples.requester(), grants: [:], device: nil, sharing: .verified,
            engine: .outside(name: "Example Cloud"))
        #expect(elsewhere.sharing == .shared, "it leaves the service, whatever the client cannot do")
        #expect(SharedData(declaredIn: elsewhere) == nil)
        let shared = SharedData(sentIn: elsewhere)
        #expect(shared?.recipients == ["Example Cloud"])
        #expect(shared?.kinds == [.liveAudio])
        #expect(shared?.basis == .sent)
        #expect(shared?.session == "s")
    }
}
