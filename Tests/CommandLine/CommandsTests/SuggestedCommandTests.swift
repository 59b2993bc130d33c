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
            + (try Self.files(in: "Examples", ending: ".md"))
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

/// The commands of a shell's lines, as far as pages have them.
enum ShellText {
    /// - Returns: the arguments of each `voicegate` in a fenced block.
    static func commands(inBlocksOf page: String) -> [[String]] {
        var commands: [[String]] = []
        var isBlock = false
        var pending = ""
        for line in page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.trimmingCharacters(in: .whitespaces).hasPrefix("```") {
                isBlock.toggle()
                continue
            }
            guard isBlock else { continue }
            if line.hasSuffix("\\") {
                pending += line.dropLast().trimmingCharacters(in: .whitespaces) + " "
                continue
            }
            commands += arguments(of: pending.isEmpty ? line : pending + line.trimmingCharacters(in: .whitespaces))
            pending = ""
        }
        return commands
    }

    private static func arguments(of line: String) -> [[String]] {
        var text = line.trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("$ ") || text.hasPrefix("# ") { text.removeFirst(2) }
        // A table of commands has what each does behind two spaces.
        if text.hasPrefix("voicegate "), let gap = text.range(of: "  ") { text = String(text[..<gap.lowerBound]) }
        return segments(of: text).compactMap { words in
            guard let place = words.firstIndex(of: "voicegate"), place + 1 < words.count,
                // A line of output, such as the version.
                words[place + 1].first?.isLetter == true
            else { return nil }
            // In front of it only variables and wrappers.
            let before = words[..<place]
            guard before.allSatisfy({ $0.contains("=") || ["sudo", "env", "xargs", "-n1", "exec"].contains($0) }) else {
                return nil
            }
            let arguments = Placeholder.filled(Array(words[(place + 1)...]))
            // "mute, unmute" are two.
            let end = arguments.firstIndex { $0.hasSuffix(",") }.map { $0 + 1 } ?? arguments.count
            return arguments[..<end].map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
        }.filter { !$0.contains { $0.contains("…") || $0 == "..." } }
    }

    /// The words of each command of a line, without redirections and comments.
    private static func segments(of line: String) -> [[String]] {
        var (segments, words, word, quote) = ([[String]](), [String](), String?.none, Character?.none)
        func finish() {
            if let present = word { words.append(present) }
            word = nil
        }
        var isEscaped = false
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else {
                switch character {
                case "\\": isEscaped = true
                case "'", "\"":
                    quote = character
                    word = word ?? ""
                case " ": finish()
                case "#" where word == nil:
                    return segments + [words]
                case "|", ";", "&", ">", "<", "(", ")":
                    finish()
                    // What follows a redirection is a file.
                    if character == ">" || character == "<" {
                        words.append(String(character))
                    } else {
                        segments.append(words)
                        words = []
                    }
                default: word = (word ?? "") + String(character)
                }
            }
        }
        finish()
        return (segments + [words]).map { words in
            var kept: [String] = []
            var isFile = false
            for word in words {
                if word == ">" || word == "<" {
                    isFile = true
                } else if isFile {
                    isFile = false
                } else {
                    kept.append(word)
                }
            }
            return kept
        }
    }
}

/// Words that stand for values of a kind that is checked.
enum Placeholder {
    static func filled(_ words: [String]) -> [String] {
        words.enumerated().map { index, word in
            // [--json] may be left out.
            let word = word.filter { !"[]".contains($0) }
            let isResource =
                index > 0 && ["--allow", "--deny", "--ask", "request", "reset"].contains(words[index - 1])
            return switch word {
            case "x" where isResource, "RESOURCE": "microphone"
            case "SESSION": "c4c9fe85-0000-4000-8000-000000000000"
            case "SECONDS": "2"
            case "TAG": "en"
            case "TIME": "2026-11-21"
            case "TASK": "dictation"
            case "LINE", "\"LINE\"": "1234 7h2k-9qxm-4abt-0zde hipoz"
            case "alice", "transcriber": "root"
            case "NAME" where index > 0 && words[index - 1] == "--user": "root"
            default: word
            }
        }
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

    /// - Parameter isCertain: whether it is a command for sure; in "what voicegate started" it is none.
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
