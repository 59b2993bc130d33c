import Authorization
import Speech
import Testing

@Suite("Which engine serves which request")
struct EngineTableTests {
    private static let sphinx = EngineTable.Engine(
        name: "PocketSphinx", capabilities: EngineCapabilities(languages: ["en-us"]))
    private static let moonshine = EngineTable.Engine(
        name: "Moonshine tiny 0.0.73",
        capabilities: EngineCapabilities(
            languages: ["en"], tasks: [.dictation], inputs: [.live, .file], options: []))
    private static let japanese = EngineTable.Engine(
        name: "Kotoba 1", capabilities: EngineCapabilities(languages: ["ja"], tasks: [.dictation], inputs: [.file]))

    private static func table(_ choices: [EngineTask: String]) -> EngineTable {
        EngineTable(
            choices: choices.mapValues { [$0] },
            engines: [EngineTable.builtIn: sphinx, "moonshine": moonshine, "kotoba": japanese])
    }

    private func engine(
        _ choices: [EngineTask: String], _ task: RecognitionTask = .dictation,
        _ input: RecognitionConfiguration.Input = .live, _ language: String? = nil
    ) throws -> String {
        var request = RecognitionConfiguration(task: task, input: input)
        request.language = language.flatMap { SpokenLanguage(tag: $0) }
        return try Self.table(choices).engine(for: request)
    }

    private static let phrases: [RecognitionTask] = [.phrases(["go"]), .keyPhrases([KeyPhrase("go")]), .grammar("g")]
    private static let all = Dictionary(uniqueKeysWithValues: EngineTask.allCases.map { ($0, "moonshine") })

    @Test("tasks for which nothing is chosen, or that the chosen engine cannot do, go to PocketSphinx")
    func builtIn() throws {
        for task in Self.phrases + [.dictation] { #expect(try engine([:], task) == EngineTable.builtIn) }
        for task in Self.phrases { #expect(try engine(Self.all, task) == EngineTable.builtIn) }
        for choices in [[.files: "moonshine"], [.dictation: "kotoba"], [.dictation: "removed"]]
            as [[EngineTask: String]]
        { #expect(try engine(choices) == EngineTable.builtIn, "\(choices)") }
    }

    @Test("each task has its own choice")
    func byTask() throws { #expect(try engine([.files: "moonshine"], .dictation, .file) == "moonshine") }

    @Test(
        "a language is recognised by an engine that has it, whichever is chosen", arguments: ["en", "en-US", "EN_gb"])
    func english(tag: String) throws {
        #expect(try engine([.files: "kotoba"], .dictation, .file, tag) == "pocketsphinx")
        #expect(try engine([.files: "moonshine"], .dictation, .file, tag) == "moonshine")
    }

    @Test("a language that no engine has for the task is refused with the list of what is installed")
    func refused() throws {
        #expect(try engine([.dictation: "moonshine"], .dictation, .file, "ja") == "kotoba")
        // PocketSphinx as the user's choice is named once.
        for (choice, list) in [
            ("moonshine", "en (Moonshine tiny 0.0.73); en-us (PocketSphinx)"),
            ("pocketsphinx", "installed: en-us (PocketSphinx); en (Moonshine tiny 0.0.73)."),
        ] {
            let error = #expect(throws: RecognitionError.self) {
                try engine([.dictation: choice], .dictation, .live, "ja")
            }
            #expect(error?.code == .languageUnavailable)
            #expect(error?.message.contains(list) == true, "\(error?.message ?? "")")
        }
    }

    @Test("the engines that can do a task are listed, the one that was chosen first")
    func preferred() {
        let table = Self.table([.dictation: "moonshine", .files: "kotoba"])
        #expect(table.engines(for: .dictation) == ["moonshine", EngineTable.builtIn])
        #expect(table.engines(for: .files) == ["kotoba", EngineTable.builtIn, "moonshine"])
        #expect(table.engines(for: .grammar) == [EngineTable.builtIn])
    }

    @Test(
        "what the chosen engine would ignore is refused with the engine that can use it",
        arguments: RecognitionOption.allCases)
    func ignored(option: RecognitionOption) throws {
        var request = RecognitionConfiguration(input: .file)
        request.required = [option]
        let error = #expect(throws: RecognitionError.self) {
            try Self.table([.files: "moonshine"]).engine(for: request)
        }
        #expect(error?.code == .optionUnavailable)
        #expect(error?.message.hasPrefix("Moonshine tiny 0.0.73 cannot use ") == true, "\(error?.message ?? "")")
        let advice = "or use PocketSphinx: voicegate engine use pocketsphinx --for files"
        #expect(error?.message.hasSuffix(advice) == true, "\(error?.message ?? "")")
        #expect(try Self.table([:]).engine(for: request) == EngineTable.builtIn)
    }

    @Test("an engine that does not declare its languages is tried with any")
    func unknown() throws {
        var table = Self.table([.dictation: "own"])
        table.engines["own"] = EngineTable.Engine(name: "own", capabilities: EngineCapabilities())
        var request = RecognitionConfiguration(task: .dictation, input: .live)
        request.language = SpokenLanguage(tag: "ko")
        #expect(try table.engine(for: request) == "own")
    }

    @Test("engines that were chosen one after the other serve their languages, and the last one what names none")
    func sideBySide() throws {
        var table = Self.table([:])
        table.engines["korean"] = EngineTable.Engine(
            name: "Vosk Korean", capabilities: EngineCapabilities(languages: ["ko"], tasks: [.dictation, .phrases]))
        table.choices = [.dictation: ["korean", "moonshine"], .phrases: ["korean"]]
        func engine(_ task: RecognitionTask, _ language: String?) throws -> String {
            var request = RecognitionConfiguration(task: task)
            request.language = language.flatMap { SpokenLanguage(tag: $0) }
            return try table.engine(for: request)
        }
        #expect(try engine(.dictation, nil) == "korean" && engine(.dictation, "ko-KR") == "korean")
        #expect(try engine(.dictation, "en") == "moonshine")
        #expect(try engine(.phrases(["go"]), "ko") == "korean" && engine(.phrases(["go"]), "en") == EngineTable.builtIn)
        #expect(table.uses(of: "korean") == [.dictation, .phrases])
        #expect(table.uses(of: "moonshine") == [.dictation])
        #expect(table.uses(of: EngineTable.builtIn) == [.files, .phrases, .keyPhrases, .grammar])
        // Installed, and not chosen.
        table.choices = [:]
        #expect(try engine(.dictation, "ko") == "korean" && engine(.dictation, nil) == EngineTable.builtIn)
        #expect(table.uses(of: "korean") == [])
    }

    @Test("a refusal names the engine to install for the language, and a language that is there")
    func advice() throws {
        var table = Self.table([:])
        table.installable = ["ko": "vosk-ko"]
        for (language, advice) in [
            ("ko", "To install one:  voicegate engine install vosk-ko; to speak another language:  --language en"),
            (
                "fr",
                "To install a model of Vosk:  voicegate engine install FOLDER; to speak another language:  --language en"
            ),
        ] {
            var request = RecognitionConfiguration(task: .dictation)
            request.language = SpokenLanguage(tag: language)
            let error = #expect(throws: RecognitionError.self) { try table.engine(for: request) }
            #expect(error?.message.hasSuffix(advice) == true, "\(error?.message ?? "")")
        }
    }
}
