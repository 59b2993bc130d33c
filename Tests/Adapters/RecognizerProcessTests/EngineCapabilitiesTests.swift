import RecognizerProtocol
import Speech
import Testing

@Suite("Capabilities that an engine declares")
struct EngineCapabilitiesTests {
    static let example = EngineCapabilities(
        protocolVersion: 2, name: "Moonshine tiny", version: "0.0.73", model: String(repeating: "a1", count: 32),
        languages: ["en-US", "ja"], tasks: [.dictation], inputs: [.live])

    @Test("an engine that declares nothing has an unknown name, and everything is tried with it")
    func nothing() throws {
        guard case .ready(let capabilities) = try WorkerReply(WyomingEvent(type: "ready")) else {
            Issue.record("ready was not decoded")
            return
        }
        #expect(capabilities == EngineCapabilities(protocolVersion: 1))
        #expect(RecognitionTask.Kind.allCases.allSatisfy(capabilities.recognizes))
        #expect(capabilities.takes(.live) && capabilities.takes(.file))
        #expect(capabilities.speaks(try #require(SpokenLanguage(tag: "ko"))))
    }

    @Test("only declared capabilities are possible, and regions do not matter")
    func declared() throws {
        #expect(Self.example.recognizes(.dictation) && !Self.example.recognizes(.grammar))
        #expect(Self.example.takes(.live) && !Self.example.takes(.file))
        for (tag, isSpoken) in [("en", true), ("EN-gb", true), ("ja_JP", true), ("de", false)] {
            #expect(Self.example.speaks(try #require(SpokenLanguage(tag: tag))) == isSpoken)
        }
    }

    @Test("an engine may declare that it uses nothing but the sound; what it declares arrives as it was sent")
    func options() throws {
        for options in [[], [.words], Set(RecognitionOption.allCases)] as [Set<RecognitionOption>] {
            let capabilities = EngineCapabilities(protocolVersion: 2, options: options)
            #expect(try WorkerReply(WorkerReply.ready(capabilities).event) == .ready(capabilities))
        }
        #expect(EngineCapabilities().lacks([.words]).isEmpty)
        #expect(EngineCapabilities(options: [.words]).lacks([.words, .alternatives]) == [.alternatives])
    }

    @Test("tasks of later protocols are ignored")
    func later() throws {
        let event = WyomingEvent(
            type: "ready",
            data: ["protocol": .integer(3), "tasks": .array([.string("translation"), .string("dictation")])])
        #expect(try WorkerReply(event) == .ready(EngineCapabilities(protocolVersion: 3, tasks: [.dictation])))
    }

    static let hostile: [[String: WyomingValue]] = [
        ["protocol": .integer(0)], ["protocol": .number(2.5)], ["protocol": .string("2")],
        ["name": .string("")], ["name": .string("a\nb")], ["name": .string("\u{202E}xenihsnooM")],
        ["name": .string("a — allowed by you")], ["name": .string(String(repeating: "a", count: 81))], ["name": .null],
        ["version": .string(" 1")], ["model": .string("a1")], ["model": .string(String(repeating: "A1", count: 32))],
        ["languages": .array([])], ["languages": .string("en")], ["languages": .array([.string("english, please")])],
        ["languages": .array([WyomingValue](repeating: .string("en"), count: 201))],
        ["tasks": .array([])], ["tasks": .array([.integer(1)])],
        ["tasks": .array([WyomingValue](repeating: .string("dictation"), count: 21))],
        ["inputs": .object([:])], ["inputs": .array([.string("li\u{0}ve")])],
    ]

    @Test("fields out of their bounds are refused", arguments: hostile)
    func bounds(data: [String: WyomingValue]) {
        #expect(throws: ProtocolError.self) { try WorkerReply(WyomingEvent(type: "ready", data: data)) }
    }

    @Test(
        "a spoken language is the first part of a tag", arguments: [("en-US", "en"), ("yue", "yue"), ("zh_Hant", "zh")])
    func languages(tag: String, code: String) { #expect(SpokenLanguage(tag: tag)?.code == code) }

    @Test("other texts are not a language", arguments: ["", "e", "english", "en-", "en us", "日本", "en-abcdefghi"])
    func noLanguages(tag: String) { #expect(SpokenLanguage(tag: tag) == nil) }
}
