import Authorization
import Consent
import Foundation
import Engines
import TestSupport
import Testing

@testable import Daemon
@testable import Server

@Suite("config.yaml")
struct ConfigurationFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ text: String) throws -> ConfigurationFile {
        try ConfigurationFile.read(try folder.write(text, to: "config.yaml"), mustExist: true)
    }

    private func complaint(_ text: String) -> String? {
        do {
            _ = try read(text)
            return nil
        } catch {
            return (error as? ServiceError)?.code == .configuration ? "\(error)" : nil
        }
    }

    @Test("every key is read")
    func keys() throws {
        let file = try read(
            """
            device: plughw:1
            model: /opt/model
            warmRecognizers: 2
            endSilence: 1.5
            answerTimeout: 30
            journalMinutes: 60
            keepTranscripts: P30D
            """)
        #expect(file.device == "plughw:1")
        #expect(file.model == "/opt/model")
        #expect(file.warmRecognizers == 2)
        #expect(file.endSilence == 1.5)
        #expect(file.answerTimeout == 30)
        #expect(file.journalMinutes == 60)
        #expect(file.keepTranscripts == .limited(30, .days))
        #expect(try read("keepTranscripts: untilWithdrawn").keepTranscripts == .untilWithdrawn)
    }

    @Test("Documentation/Configuration.md has a row for every key, and its example is read")
    func documented() throws {
        let page = try String(
            contentsOf: Checkout.root.appending(path: "Documentation/Configuration.md"), encoding: .utf8)
        let rows = page.matches(of: /(?m)^\| `([a-zA-Z]+)` \|/).map { String($0.1) }
        #expect(rows.filter { !$0.contains("/") }.sorted() == ConfigurationFile.keys.sorted())
        let example = try #require(page.firstMatch(of: /```yaml\n([^`]+)```/)).1
        #expect(try read(String(example)).unusedDays == 60)
    }

    @Test("the package's file names every key in a comment, and each of them is read")
    func packaged() throws {
        let file = try String(contentsOf: Checkout.root.appending(path: "Packaging/etc/config.yaml"), encoding: .utf8)
        let examples = file.matches(of: /(?m)^# ([a-zA-Z]+: .*)$/).map { String($0.1) }.filter { !$0.hasPrefix("To ") }
        let keys = examples.compactMap { $0.split(separator: ":").first.map(String.init) }
        #expect(keys.sorted() == ConfigurationFile.keys.sorted())
        for example in examples where !example.hasPrefix("witnessPolicy") {
            #expect(throws: Never.self, "\(example)") { try read(example) }
        }
    }

    @Test("model is the engine's if there is one, which gets none by default; PocketSphinx keeps its own then")
    func models() throws {
        let library = EngineLibrary(catalogue: try .builtIn(), stateDirectory: folder.path)
        let own = "/usr/share/pocketsphinx/model/en-us"
        func folders(_ text: String) throws -> [String?] {
            let file = try read(text)
            let models = try ModelFolders(named: file.model, hasEngine: file.engine != nil, library)
            return [models.pocketSphinx, models.used]
        }
        let engine = "engine: {command: [/opt/run, --fast], reads: [/opt]}\n"
        #expect(try folders("") == [own, own])
        #expect(try folders("model: en-us") == [own, own])
        #expect(try folders("model: /m") == ["/m", "/m"])
        #expect(try folders(engine) == [own, nil])
        #expect(try folders(engine + "model: /m") == [own, "/m"])
        let named = try #require(complaint(engine + "model: en-us"))
        #expect(
            named.contains("gets as --model") && named.contains("Name the model's folder, or remove model"), "\(named)")
        #expect(try folders("engine: wyoming:unix:///e\nmodel: en-us") == [own, own])
        let configured = try #require(try read(engine).engine)
        #expect(configured.arguments(modelFolder: nil) == ["--readable", "/opt", "--", "/opt/run", "--fast"])
        #expect(configured.arguments(modelFolder: "/m")[2...3] == ["--readable", "/m"])
    }

    @Test("witnessPolicy names a file, which is read and checked; the error names the line that is wrong")
    func witnesses() throws {
        let witness = try #require(NoteSigner(name: "witness.example/w1")).witnessVerifier
        let path = try folder.write("witness w \(witness)\nquorum w\n", to: "witnesses")
        #expect(try read("witnessPolicy: \(path)").witnessPolicy?.witnesses == [witness])
        #expect(try read("").witnessPolicy == nil)
        try folder.write("witness w \(witness)\nquorum v\n", to: "witnesses")
        let wrong = try #require(complaint("witnessPolicy: \(path)"))
        #expect(wrong.contains(path) && wrong.contains("line 2") && wrong.contains("“v”"), "\(wrong)")
        #expect(complaint("witnessPolicy: \(path)-none")?.contains("\(path)-none") == true)
        for other in ["witnesses", "[\(path)]", "{}"] { #expect(complaint("witnessPolicy: \(other)") != nil) }
    }

    @Test("the command line's manifest keeps nothing unless configured, and then declares it in every language")
    func ownManifest() throws {
        let plain = try BuiltInClients.commandLine(beside: "/usr/bin")
        #expect(plain.practices.kept.isEmpty && plain.practices.retention == nil)
        let keeping = try BuiltInClients.commandLine(beside: "/usr/bin", keeping: [.transcript: .limited(30, .days)])
        #expect(keeping.practices.kept == [.transcript: .limited(30, .days)])
        let texts = Language.allCases.map { keeping.localized(in: $0).practices.retention }
        #expect(texts == ["30 days", "30日間", "30일"])
    }

    @Test("an empty file, or one of comments, means the defaults", arguments: ["", "# nothing yet\n", "---\n", "{}"])
    func empty(_ text: String) throws {
        let file = try read(text)
        #expect(file.device == nil && file.model == nil && file.warmRecognizers == nil)
        #expect(file.endSilence == nil && file.answerTimeout == nil && file.keepTranscripts == nil)
    }

    @Test("the error for an unknown key names it and the known keys")
    func unknownKey() throws {
        let message = try #require(complaint("devise: default"))
        #expect(message.contains("“devise” is not a key. Did you mean “device”?"))
        #expect(message.contains("device, model, engine, warmRecognizers, fileRecognizers, endSilence"))
    }

    @Test(
        "what is not YAML, or of the wrong type, is named with its line",
        arguments: [
            ("device: mic\nwyoming:\n\ttcp: 127.0.0.1:1\n", "in line 3, there is a tab, where YAML takes spaces"),
            ("device:\u{A0}mic\n", "in line 1, there is a blank that is not a space (U+00A0)"),
            ("endSilence: 1\ndevice:\u{A0}mic\n", "in line 2, there is a blank that is not a space (U+00A0)"),
            ("wyoming:\n\u{3000}tcp: 127.0.0.1:1\n", "in line 2, there is a blank that is not a space (U+3000)"),
            ("# a\u{A0}b\n- device\n", "in line 2, it is not a list of keys and values"),
            ("device: [\n", "in line 1, it is not YAML"),
            ("device: a\ndevice: b\n", "the key “device” appears twice"),
            ("device: a\nwarmRecognizers: many\n", "in line 2, the value of “warmRecognizers” "),
            ("controller: {address: a}\n", "in line 1, the value of “controller” has no “name”"),
        ])
    func lines(_ text: String, _ expected: String) throws {
        let message = try #require(complaint(text))
        #expect(message.contains(expected), "\(message)")
    }

    @Test(
        "the ends of each range are accepted",
        arguments: [
            "warmRecognizers: 0", "warmRecognizers: 8", "endSilence: 0.2", "endSilence: 5", "answerTimeout: 5",
            "answerTimeout: 600",
        ])
    func inRange(_ text: String) throws { _ = try read(text) }

    @Test(
        "other values are refused, and the error names the range, the unknown key or an example",
        arguments: [
            ("warmRecognizers: -1", "from 0 to 8"), ("warmRecognizers: 9", "from 0 to 8"),
            ("endSilence: 0.19", "from 0.2 to 5"), ("endSilence: 5.01", "from 0.2 to 5"),
            ("endSilence: .nan", "from 0.2 to 5"),
            ("answerTimeout: 4", "from 5 to 600"), ("answerTimeout: 601", "from 5 to 600"),
            ("answerTimeout: .inf", "from 5 to 600"), ("journalMinutes: 0", "journalMinutes"),
            ("engine: {command: [/bin/true], raeds: []}", "“raeds”"), ("controller: {name: A, adress: B}", "“adress”"),
            ("wyoming: {port: 10300}", "“port”"), ("keepTranscripts: P1DT1H", "such as P30D"),
            ("keepTranscripts: 30", ""), ("keepTranscripts: P30", ""), ("keepTranscripts: P0D", ""),
            ("keepTranscripts: P11Y", ""), ("keepTranscripts: always", ""), ("keepTranscripts: ''", ""),
            ("keepTranscripts: [P1D]", ""), ("- a\n- b", ""), ("just words", ""), ("device: [", ""),
            ("warmRecognizers: many", ""), ("warmRecognizers: 1.5", ""), ("endSilence: soon", ""),
            ("device: {a: b}", ""), ("\u{0}", ""),
        ])
    func refused(_ text: String, _ part: String) throws {
        let message = try #require(complaint(text))
        #expect(part.isEmpty || message.contains(part), "\(message)")
    }

    @Test("a missing file is an error only if the user named it")
    func missing() throws {
        let path = folder.path + "/none.yaml"
        #expect(try ConfigurationFile.read(path, mustExist: false).device == nil)
        #expect(throws: ServiceError.self) { try ConfigurationFile.read(path, mustExist: true) }
    }

    @Test("a folder, or a file that is too large, is an error, named or not", arguments: [true, false])
    func unreadable(_ mustExist: Bool) throws {
        #expect(throws: ServiceError.self) { try ConfigurationFile.read(folder.path, mustExist: mustExist) }
        let large = try folder.write(String(repeating: "#", count: 64 * 1024 + 1), to: "large.yaml")
        #expect(throws: ServiceError.self) { try ConfigurationFile.read(large, mustExist: mustExist) }
    }
}
