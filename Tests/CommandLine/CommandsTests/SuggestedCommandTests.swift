import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import Commands

/// Each command that a page or a message tells the user to type is one that the command line takes.
@Suite("Commands in pages and messages")
struct SuggestedCommandTests {
    private static func files(in folder: String, ending suffix: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: Checkout.root.path + "/" + folder)
            .filter { $0.hasSuffix(suffix) && !$0.contains(".build/") }.map { "\(folder)/\($0)" }.sorted()
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Checkout.root.appending(path: path), encoding: .utf8)
    }

    private static func isCommand(_ words: [String]) -> Bool {
        // A command alone is one that is named, and need not have the arguments that it requires.
        if isName(words[...], of: VoiceGateCommand.self) { return true }
        do {
            _ = try VoiceGateCommand.parseAsRoot(words)
            return true
        } catch {
            // --help and --version.
            return VoiceGateCommand.exitCode(for: error) == .success
        }
    }

    private static func isName(_ words: ArraySlice<String>, of command: any ParsableCommand.Type) -> Bool {
        guard let first = words.first else { return true }
        let configuration = command.configuration
        let commands = configuration.ungroupedSubcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
        guard let found = commands.first(where: { $0._commandName == first }) else { return false }
        return isName(words.dropFirst(), of: found)
    }

    /// Whether the words name an option that the command has, without its value.
    private static func isMention(_ words: ArraySlice<String>) -> Bool {
        guard words.last?.hasPrefix("--") == true else { return false }
        var command: any ParsableCommand.Type = VoiceGateCommand.self
        for word in words {
            let commands =
                command.configuration.ungroupedSubcommands
                + command.configuration.groupedSubcommands.flatMap(\.subcommands)
            guard let found = commands.first(where: { $0._commandName == word }) else { break }
            command = found
        }
        let help = VoiceGateCommand.helpMessage(for: command)
        return words.filter { $0.hasPrefix("--") }.allSatisfy { help.contains($0) }
    }

    @Test("each voicegate command of a block in README and Documentation is understood")
    func pages() throws {
        var (count, wrong) = (0, [String]())
        let pages =
            ["README.md"] + (try Self.files(in: "Documentation", ending: ".md"))
            + (try Self.files(in: "Documentation/Examples", ending: ".md"))
        for page in pages {
            for command in ShellText.commands(inBlocksOf: try Self.text(page)) {
                count += 1
                if !Self.isCommand(command) { wrong.append("\(page): \(command.joined(separator: " "))") }
            }
        }
        #expect(wrong.joined(separator: "; ") == "")
        #expect(count > 100)
    }

    @Test("each voicegate command that a message suggests is understood, with all its options")
    func messages() throws {
        var (count, wrong) = (0, [String]())
        // Most are in several places and languages.
        var known: [SuggestedCommand: Bool] = [:]
        for path in try Self.files(in: "Sources", ending: ".swift") {
            for suggestion in SuggestedCommand.all(in: try Self.text(path)) {
                count += 1
                let isUnderstood =
                    known[suggestion]
                    ?? (suggestion.least...max(suggestion.least, suggestion.words.count)).contains {
                        Self.isCommand(Array(suggestion.words.prefix($0)))
                    } || Self.isMention(suggestion.words.prefix(suggestion.least))
                known[suggestion] = isUnderstood
                if !isUnderstood { wrong.append("\(path): \(suggestion.words.joined(separator: " "))") }
            }
        }
        #expect(wrong.joined(separator: "; ") == "")
        #expect(count > 100)
    }
}

/// A command in the texts of a source file.
struct SuggestedCommand: Hashable {
    /// What follows `voicegate`, up to the end of the sentence's part.
    let words: [String]
    /// How many of these are the command's: the last that looks like an option, its value or a placeholder.
    let least: Int

    static func all(in source: String) -> [SuggestedCommand] {
        literals(in: source).flatMap { literal in
            literal.matches(of: /(^|: +|：|`|[\s(“'])voicegate ([a-z][^\n`”)（、。]*)/).compactMap {
                suggestion(String($0.2), isCertain: $0.1.hasPrefix(":") || $0.1 == "：" || $0.1 == "`")
            }
        }
    }

    private static let subcommands = Set(
        VoiceGateCommand.configuration.groupedSubcommands.flatMap(\.subcommands).map { $0._commandName })

    /// - Parameter isCertain: whether it is a command for sure; in "what voicegate started" it is not.
    private static func suggestion(_ text: String, isCertain: Bool) -> SuggestedCommand? {
        var words: [String] = []
        var quoted: String?
        for word in text.split(separator: " ") {
            if let begun = quoted {
                let whole = begun + " " + word
                quoted = word.contains("'") ? nil : whole
                if quoted == nil { words.append(whole.filter { $0 != "'" }) }
                continue
            }
            if word.hasPrefix("'"), !word.dropFirst().contains("'") {
                quoted = String(word)
                continue
            }
            // "remove x and voicegate add y" are two.
            if word == "&" || word == "and" || word == "or" { break }
            let bare = word.trimmingSuffix { ".,;:'?".contains($0) }
            // Ends of clauses end commands.
            if bare.isEmpty { break }
            words.append(String(bare))
            if bare.count < word.count { break }
        }
        guard let first = words.first, isCertain || subcommands.contains(first) else { return nil }
        var least = 1
        for (index, word) in words.enumerated() where index > 0 {
            let isArgument = word.hasPrefix("--") || word.wholeMatch(of: /[A-Z]{2,}/) != nil || word == "x"
            let isValue = words[index - 1].hasPrefix("--") && index - 1 < least
            if isArgument || isValue && word.wholeMatch(of: /[a-z]+/) == nil { least = index + 1 }
        }
        return SuggestedCommand(words: Placeholder.filled(words), least: least)
    }

    /// The string literals of a source file, joined where `+` joins them, with `x` for each interpolation.
    private static func literals(in source: String) -> [String] {
        var literals: [String] = []
        var isBlock = false
        for line in source.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) })
        where !line.hasPrefix("//") {
            let isDelimiter = line.ranges(of: "\"\"\"").count % 2 == 1
            if isDelimiter { isBlock.toggle() }
            if isDelimiter || isBlock {
                literals.append(line.replacing(/\\\([^)]*\)/, with: "x").replacing("\\", with: ""))
                continue
            }
            var texts: [String] = []
            var (text, depth, isEscaped) = (String?.none, 0, false)
            for character in line {
                if depth > 0 {
                    depth += character == "(" ? 1 : character == ")" ? -1 : 0
                    if depth == 0 { text = (text ?? "") + "x" }
                } else if isEscaped {
                    isEscaped = false
                    if character == "(" { depth = 1 } else { text?.append(character) }
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    if let finished = text { texts.append(finished) }
                    text = text == nil ? "" : nil
                } else {
                    text?.append(character)
                }
            }
            let joined = texts.joined(separator: "\u{0}")
            if line.hasPrefix("+ \""), let last = literals.popLast() {
                literals.append(last + joined)
            } else {
                literals.append(joined)
            }
        }
        return literals.flatMap { $0.split(separator: "\u{0}").map(String.init) }
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> Substring {
        var text = self
        while let last = text.last, condition(last) { text.removeLast() }
        return text
    }
}
