import Authorization
import Speech
import Testing

@Suite("Which engine serves which request")
struct EngineTableTests {
    private static let sphinx = EngineTable.Engine(
        name: "PocketSphinx", capabilities: EngineCapabilities(languages: ["en-us"]))
    private static let moonshine = EngineTable.Engine(
        name: "Moonshine tiny 0.0.73",
        capabilities: EngineCapabilities(languages: ["en"], tasks: [.dictation], inputs: [.live, .file]))
    private static let japanese = EngineTable.Engine(
        name: "Kotoba 1", capabilities: EngineCapabilities(languages: ["ja"], tasks: [.dictation], inputs: [.file]))

    private static func table(_ choices: [EngineTask: String]) -> EngineTable {
        EngineTable(
            choices: choices, engines: [EngineTable.builtIn: sphinx, "moonshine": moonshine, "kotoba": japanese])
    }

    private static func request(
        _ task: RecognitionTask = .dictation, _ input: RecognitionConfiguration.Input = .live, _ language: String? = nil
    ) -> RecognitionConfiguration {
        var request = RecognitionConfiguration(task: task, input: input)
        request.language = language.flatMap { SpokenLanguage(tag: $0) }
        return request
    }

    @Test("nothing chosen: PocketSphinx serves every task")
    func nothing() throws {
        for task in [RecognitionTask.dictation, .phrases(["go"]), .keyPhrases([KeyPhrase("go")]), .grammar("g")] {
            #expect(try Self.table([:]).engine(for: Self.request(task)) == EngineTable.builtIn)
        }
    }

    @Test("each task has its own choice")
    func byTask() throws {
        let table = Self.table([.files: "moonshine"])
        #expect(try table.engine(for: Self.request()) == EngineTable.builtIn)
        #expect(try table.engine(for: Self.request(.dictation, .file)) == "moonshine")
    }

    @Test("tasks that the chosen engine cannot do go to PocketSphinx")
    func unable() throws {
        let all = Dictionary(uniqueKeysWithValues: EngineTask.allCases.map { ($0, "moonshine") })
        for task in [RecognitionTask.phrases(["go"]), .keyPhrases([KeyPhrase("go")]), .grammar("g")] {
            #expect(try Self.table(all).engine(for: Self.request(task)) == EngineTable.builtIn)
        }
        #expect(try Self.table([.dictation: "kotoba"]).engine(for: Self.request()) == EngineTable.builtIn)
        #expect(try Self.table([.dictation: "removed"]).engine(for: Self.request()) == EngineTable.builtIn)
    }

    @Test(
        "a language is recognised by an engine that has it, whichever is chosen", arguments: ["en", "en-US", "EN_gb"])
    func english(tag: String) throws {
        #expect(try Self.table([.files: "kotoba"]).engine(for: Self.request(.dictation, .file, tag)) == "pocketsphinx")
        #expect(try Self.table([.files: "moonshine"]).engine(for: Self.request(.dictation, .file, tag)) == "moonshine")
    }

    @Test("a language that no engine has for the task is refused with the list of what is installed")
    func refused() throws {
        let table = Self.table([.dictation: "moonshine"])
        #expect(try table.engine(for: Self.request(.dictation, .file, "ja")) == "kotoba")
        let error = #expect(throws: RecognitionError.self) {
            try table.engine(for: Self.request(.dictation, .live, "ja"))
        }
        #expect(error?.code == .languageUnavailable)
        #expect(error?.message.contains("en (Moonshine tiny 0.0.73); en-us (PocketSphinx)") == true)
        // PocketSphinx as the user's choice is named once.
        let own = #expect(throws: RecognitionError.self) {
            try Self.table([.dictation: "pocketsphinx"]).engine(for: Self.request(.dictation, .live, "ja"))
        }
        #expect(own?.message.contains("Installed: en-us (PocketSphinx); en (Moonshine tiny 0.0.73). ") == true)
    }

    @Test("the engines that can do a task are listed, the one that was chosen first")
    func preferred() {
        let table = Self.table([.dictation: "moonshine", .files: "kotoba"])
        #expect(table.engines(for: .dictation) == ["moonshine", EngineTable.builtIn])
        #expect(table.engines(for: .files) == ["kotoba", EngineTable.builtIn, "moonshine"])
        #expect(table.engines(for: .grammar) == [EngineTable.builtIn])
    }

    @Test("an engine that does not declare its languages is tried with any")
    func unknown() throws {
        var table = Self.table([.dictation: "own"])
        table.engines["own"] = EngineTable.Engine(name: "own", capabilities: EngineCapabilities())
        #expect(try table.engine(for: Self.request(.dictation, .live, "ko")) == "own")
    }
}
