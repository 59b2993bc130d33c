import ArgumentParser
import Foundation
import Testing

@testable import Commands

/// The whole command line, as ArgumentParser describes it: one word for one thing in every command.
@Suite("The commands and their options")
struct CommandTreeTests {
    struct Argument: Decodable {
        struct Name: Decodable, Hashable {
            let kind: String
            let name: String
        }

        let kind: String
        let names: [Name]?
        let valueName: String?
        let abstract: String?

        var long: String? { names?.first { $0.kind == "long" }?.name }
        var isShort: Bool { names?.contains { $0.kind == "short" } ?? false }
    }

    struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let arguments: [Argument]?
        let subcommands: [Command]?

        /// Itself and all below it, each with its words.
        func all(_ above: [String] = []) -> [(words: [String], command: Command)] {
            let words = above + [commandName]
            return [(words, self)] + (subcommands ?? []).flatMap { $0.all(words) }
        }

        func has(_ option: String) -> Bool { arguments?.contains { $0.long == option } ?? false }
    }

    private struct Tree: Decodable { let command: Command }

    /// Without ArgumentParser's own help command.
    let commands: [(name: String, command: Command)]

    init() throws {
        let tree = try JSONDecoder().decode(Tree.self, from: Data(VoiceGateCommand._dumpHelp().utf8))
        commands = tree.command.all().filter { $0.words.last != "help" }.map {
            ($0.words.joined(separator: " "), $0.command)
        }
    }

    /// Commands that do something; the others only have commands below them.
    private var leaves: [(name: String, command: Command)] {
        commands.filter { $0.command.subcommands?.isEmpty ?? true }
    }

    @Test("an option takes the same kind of value in every command that has it")
    func values() {
        // Options that are named as in other programs, for different things.
        let different = ["for": ["task", "use"], "from": ["folder"], "id": ["id", "name"]]
        // A spoken language is any; texts are in three. A bundle is a folder, other products are files.
        let several = different.merging(["language": ["code", "tag"], "output": ["file", "path"]]) { $1 }
        var found: [String: Set<String>] = [:]
        for (_, command) in commands {
            for argument in command.arguments ?? [] {
                guard let long = argument.long else { continue }
                found[long, default: []].insert(argument.kind == "flag" ? "no value" : argument.valueName ?? long)
            }
        }
        for (option, values) in found {
            #expect(values == Set(several[option] ?? Array(values.prefix(1))), "--\(option) takes \(values.sorted())")
        }
        #expect(found["client"] == ["id"] && found["user"] == ["user"] && found["since"] == ["time"])
        #expect(found["follow"] == ["no value"] && found["yes"] == ["no value"])
    }

    @Test("each command that does something has --json, --quiet and a sentence that says what it does")
    func common() {
        for (name, command) in leaves {
            #expect(command.has("json") && command.has("quiet"), "\(name)")
            for argument in command.arguments ?? [] where argument.long != "help" {
                #expect(argument.abstract?.isEmpty == false, "\(name): \(argument.long ?? argument.valueName ?? "")")
            }
        }
        for (name, command) in commands {
            let sentence = command.abstract ?? ""
            #expect(sentence.first?.isUppercase == true && sentence.last == ".", "\(name): \(sentence)")
        }
        #expect(leaves.count > 50)
    }

    @Test("a file to write is --output or -o, a time --since or --until, a program --client, a confirmation --yes")
    func words() {
        let others = ["out", "before", "after", "to-time", "subject", "app", "program", "assume-yes", "tail", "watch"]
        for (name, command) in commands {
            for argument in command.arguments ?? [] {
                if let long = argument.long {
                    #expect(!others.contains(long), "\(name) --\(long)")
                    if long == "output" { #expect(argument.isShort, "\(name) --output has no -o") }
                    if argument.isShort { #expect(["output", "help", "lines", "follow"].contains(long), "\(name)") }
                }
            }
            if command.has("since") { #expect(command.has("until"), "\(name)") }
            if ["erase", "reset"].contains(command.commandName) || command.has("remove") {
                #expect(command.has("yes") && command.has("client"), "\(name)")
            }
        }
    }

    @Test("the help lists the commands in groups of at most ten, each in one")
    func groups() {
        let configuration = VoiceGateCommand.configuration
        #expect(configuration.ungroupedSubcommands.isEmpty)
        let help = VoiceGateCommand.helpMessage()
        for group in configuration.groupedSubcommands {
            #expect(help.contains("\n\(group.name.uppercased()) SUBCOMMANDS:\n"), "\(group.name)")
            #expect((1...10).contains(group.subcommands.count), "\(group.name)")
        }
        let names = configuration.groupedSubcommands.flatMap(\.subcommands).map { $0._commandName }
        #expect(names.count > 20 && Set(names).count == names.count)
    }

    @Test("every group of commands that has things lists them, with the same verbs")
    func verbs() {
        let verbs: Set = [
            "list", "show", "add", "remove", "install", "use", "check", "verify", "new", "lint", "erase", "export",
            "status", "start", "stop", "restart", "begin", "end", "cancel", "suspend", "resume", "toggle", "watch",
            "records", "trace", "checkpoint", "prove", "receipt", "backup", "restore",
        ]
        for (name, command) in commands.dropFirst() {
            for below in command.subcommands ?? [] {
                #expect(verbs.contains(below.commandName), "\(name) \(below.commandName)")
            }
        }
    }
}
