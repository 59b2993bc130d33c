import Foundation
import SocketAPI
import Speech
import TestSupport
import Testing

@testable import Commands

@Suite("Profiles")
struct ProfileFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The options of a command that has no other option than the profile.
    private func profile(_ name: String, in text: String) throws -> DictateOptions {
        var options = try DictateOptions.parse([])
        try ProfileFile(path: try folder.write(text, to: "profiles.yaml")).apply(name, to: &options)
        return options
    }

    @Test("a profile can have every option of a dictation")
    func options() throws {
        let profile = try profile(
            "all",
            in: """
                other:
                  to: clipboard
                empty:
                all:
                  device: hw:1
                  waitForDevice: true
                  stopAfterSilence: 2
                  endSilence: 0.5
                  temporaryFull: notes
                  level: false
                  partial: false
                  to: type
                  atEnd: true
                  filters: [tr a-z A-Z]
                  punctuation: true
                  replacements: ~/own.txt
                  scratchThat: false
                  tones: true
                  toneDevice: hw:2
                  contextPhrases: [Kelmscott Press]
                  words: [~/notes]
                  grammar: go.gram
                  task: command
                  alternatives: 2
                  language: en-GB
                """)
        #expect(profile.device == "hw:1" && profile.stopAfterSilence == 2 && profile.endSilence == 0.5)
        #expect(profile.waitForDevice == true && profile.level == false && profile.partial == false)
        #expect(profile.delivery.to == .type && profile.delivery.atEnd == true)
        #expect(profile.delivery.filter == ["tr a-z A-Z"] && profile.tones == true && profile.toneDevice == "hw:2")
        #expect(profile.form.punctuation == true)
        #expect(profile.words.contextPhrase == ["Kelmscott Press"] && profile.words.alternatives == 2)
        let home = ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()
        #expect(profile.form.replacements == home + "/own.txt" && profile.scratchThat == false)
        #expect(profile.words.words == [home + "/notes"] && profile.words.grammar == "go.gram")
        #expect(profile.words.task == .command && profile.temporaryFull == "notes")
        #expect(profile.words.language == "en-GB")
        #expect("\(try self.profile("empty", in: "empty:\n"))" == "\(try DictateOptions.parse([]))")
    }

    @Test(
        "an invalid profile is a configuration error that names the cause",
        arguments: [
            ("a:\n  devise: x\n", "“devise”"), ("a:\n  devise: x\n", "Did you mean “device”?"),
            ("b:\n  to: type\n", "Available: b."), ("a:\n  to: nowhere\n", "“to”"),
            ("a:\n  stopAfterSilence: soon\n", "stop"),
            ("b:\n  to: type\n", "No profile “a”"), ("a: [1]\n", "“a”"), ("- a\n", "mapping of names"),
            ("a: {", "YAML"), ("", "mapping of names"), ("a:\n  filters: tr\n", "filters"),
        ])
    func unusable(_ text: String, _ named: String) throws {
        let error = #expect(throws: CommandError.self) { _ = try profile("a", in: text) }
        #expect(error?.code == .badProfile)
        #expect(error?.status == .configuration)
        #expect(error?.message.contains(named) == true, "\(error?.message ?? "")")
    }

    @Test("a missing file is reported")
    func missing() {
        let error = #expect(throws: CommandError.self) {
            var options = try DictateOptions.parse([])
            try ProfileFile(path: "/nowhere/x.yaml").apply("a", to: &options)
        }
        #expect(error?.message.contains("does not exist") == true)
    }

    @Test("options of the command line take precedence, and lists are joined")
    func merged() throws {
        try folder.write(
            """
            notes:
              exec: cat
              device: kept
              level: true
              punctuation: true
              filters: [first]
              contextPhrases: [one]
              stopAfterSilence: 3
            """, to: "voicegate/profiles.yaml")
        let paths = ServicePaths(
            environment: ["XDG_CONFIG_HOME": folder.path], user: 1, home: "/nowhere", isPrivate: { _ in true })
        let given = try DictateOptions.parse([
            "--profile", "notes", "--device", "mine", "--no-level", "--filter", "second", "--context-phrase", "two",
        ])
        let options = try given.withProfile(of: paths)
        #expect(options.device == "mine" && options.level == false && options.form.punctuation == true)
        #expect(options.delivery.exec == "cat" && options.stopAfterSilence == 3)
        #expect(options.delivery.filter == ["first", "second"])
        #expect(options.words.contextPhrase == ["one", "two"])
        // Where the text goes is one choice.
        let typed = try DictateOptions.parse(["--profile", "notes", "--type"]).withProfile(of: paths)
        #expect(typed.delivery.target == .type && typed.delivery.exec == nil)
    }

    @Test("an invalid value is refused with the profile's name")
    func outOfRange() throws {
        try folder.write("notes: {endSilence: 60}\n", to: "voicegate/profiles.yaml")
        let paths = ServicePaths(
            environment: ["XDG_CONFIG_HOME": folder.path], user: 1, home: "/nowhere", isPrivate: { _ in true })
        let given = try DictateOptions.parse(["--profile", "notes"])
        let error = #expect(throws: CommandError.self) { _ = try given.withProfile(of: paths) }
        #expect(error?.status == .configuration)
        #expect(error?.message.contains("notes") == true && error?.message.contains("0.2 to 5") == true)
    }

    @Test("only one destination is accepted")
    func onePlace() {
        #expect(throws: (any Error).self) { _ = try DictateOptions.parse(["--type", "--clipboard"]) }
        #expect(throws: (any Error).self) { _ = try DictateOptions.parse(["--to", "stdout", "--exec", "cat"]) }
    }
}
