import Authorization
import Speech
import Testing

@testable import Service

@Suite("What a voice profile has an effect on")
struct ProfileUseTests {
    private func use(
        _ choices: [EngineTask: String], outside: String? = nil, isConfigured: Bool = false
    ) -> ProfileUse {
        let moonshine = EngineTable.Engine(
            name: "Moonshine tiny 0.0.73",
            capabilities: EngineCapabilities(languages: ["en"], tasks: [.dictation], inputs: [.live, .file]))
        let own = EngineTable.Engine(name: "PocketSphinx", capabilities: EngineCapabilities())
        return ProfileUse(
            EngineTable(choices: choices, engines: [EngineTable.builtIn: own, "moonshine": moonshine]),
            outside: outside, isConfigured: isConfigured)
    }

    @Test("with PocketSphinx for dictations and files there is nothing to say")
    func all() {
        for choices: [EngineTask: String] in [[:], [.grammar: "moonshine"], [.dictation: EngineTable.builtIn]] {
            #expect(use(choices).note == nil && !use(choices).isNone)
        }
    }

    @Test("an enrolment without any effect is refused with the engine that recognises, and how to change that")
    func none() {
        let use = use([.dictation: "moonshine", .files: "moonshine"])
        #expect(use.isNone)
        #expect(
            use.note
                == "Only PocketSphinx uses voice profiles, so that one has no effect on dictations and files, which "
                + "Moonshine tiny 0.0.73 recognises. To change that:  voicegate engine use pocketsphinx")
        let configured = self.use(
            [.dictation: "moonshine", .files: "moonshine"], outside: "wyoming:unix:///run/w", isConfigured: true)
        #expect(configured.isNone)
        #expect(
            configured.note?.contains(
                "dictations and files, which wyoming:unix:///run/w recognises.") == true)
        #expect(configured.note?.contains("remove engine from config.yaml") == true)
    }

    @Test("one with an effect on dictations or on files alone is not refused, and what it does not change is named")
    func some() {
        let files = use([.dictation: "moonshine"])
        #expect(!files.isNone && files.note?.contains("no effect on dictations, which Moonshine") == true)
        let dictations = use([.files: "moonshine"])
        #expect(!dictations.isNone && dictations.note?.contains("no effect on files, which Moonshine") == true)
    }

    @Test("an engine of config.yaml leaves no effect, also if it recognises dictations alone")
    func configured() {
        #expect(use([:], outside: "wyoming:unix:///run/w", isConfigured: true).isNone)
        #expect(use([.dictation: "moonshine"], isConfigured: true).isNone)
    }
}
