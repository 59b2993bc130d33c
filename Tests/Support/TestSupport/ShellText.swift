import Foundation

/// The commands of a shell's lines, as far as pages have them.
public enum ShellText {
    /// - Returns: the arguments of each `voicegate` in a fenced block.
    public static func commands(inBlocksOf page: String) -> [[String]] {
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
                    // A redirection is followed by a file.
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
public enum Placeholder {
    public static func filled(_ words: [String]) -> [String] {
        words.enumerated().map { index, word in
            // [--json] may be left out.
            let word = word.filter { !"[]".contains($0) }
            let isResource = index > 0 && ["--allow", "--deny", "--ask", "request", "reset"].contains(words[index - 1])
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
