import Base
import Speech
import Testing

@testable import Commands

@Suite("Misspelt names")
struct SuggestionTests {
    @Test(
        "a misspelt command is named, with the one that was probably meant",
        arguments: [
            ("dictat", "There is no command “dictat”. Did you mean “dictate”? To list the commands: voicegate --help"),
            (
                "audit recrods",
                "There is no command “audit recrods”. Did you mean “records”? To list the commands: voicegate audit --help"
            ), ("--socket /run/other status", "Options follow the command, such as: voicegate status --socket"),
            ("frobnicate", "There is no command “frobnicate”. To list the commands: voicegate --help"),
        ])
    func commands(_ line: String, _ message: String) {
        let arguments = line.split(separator: " ").map(String.init)
        #expect(Suggestion.unknownCommand(arguments, of: VoiceGateCommand.self) == message)
    }

    @Test(
        "commands, options, help and arguments of a default command are left to the parser",
        arguments: ["", "dictate", "--version", "help dictat", "monitor 3f2a", "settings org.example", "audit --help"])
    func others(_ line: String) {
        let arguments = line.split(separator: " ").map(String.init)
        #expect(Suggestion.unknownCommand(arguments, of: VoiceGateCommand.self) == nil)
    }

    @Test("a name that has little in common is not suggested")
    func nearest() {
        #expect(Suggestion.nearest("org.exmaple.notes", in: ["org.example.notes", "org.other"]) == "org.example.notes")
        #expect(Suggestion.nearest("zzz", in: ["dictate", "audit"]) == nil)
        #expect(Suggestion.nearest("a", in: []) == nil)
    }
}
