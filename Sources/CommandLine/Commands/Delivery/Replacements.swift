import Base
import Foundation
import LinuxSystem
import Speech

/// The user's own spellings, such as of names. They change the text of an engine, so they work with every engine:
///
///     # spoken → written
///     voice gate → VoiceGate
///     kelm scott -> Kelmscott
struct Replacements: Sendable, Hashable {
    private struct Entry: Sendable, Hashable {
        /// In lower case, without marks.
        let spoken: [String]
        let written: String
        let line: Int

        /// Whether text may follow without a space: Chinese, Japanese, and Korean, whose particles follow a name.
        var isUnspaced: Bool { spoken.last?.unicodeScalars.last.map(Replacements.isUnspaced) ?? false }
    }

    static let none = Replacements()
    static let longestFile = 64 * 1024
    static let mostEntries = 1_000
    static let mostWords = 10
    static let longestWritten = 500

    private static let arrows = ["→", "->"]
    /// Marks that engines put beside a word.
    private static let marks = Set(".,;:!?…\"“”„‘’()[]{}«»。、！？「」『』")

    /// By their first word, the longest first.
    private var entries: [String: [Entry]] = [:]
    /// Of one word, without spaces around it; the longest first.
    private var unspaced: [Entry] = []

    private init() {}

    /// Reads a file.
    ///
    /// - Throws: `CommandError` with `noInput`, or `badReplacements` naming the line.
    init(path: String) throws(CommandError) {
        let data: Data
        do throws(FileError) {
            data = try RegularFile(path: path, limit: Self.longestFile).data
        } catch {
            throw CommandError(.noInput, "The replacements cannot be read: \(error)")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CommandError(.badReplacements, "\(path) is not UTF-8. Save it as UTF-8.")
        }
        try self.init(text, name: path)
    }

    /// - Parameter name: of the file, for messages.
    init(_ text: String, name: String) throws(CommandError) {
        let lines = text.drop { $0 == "\u{FEFF}" }.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var read: [Entry] = []
        for (index, line) in lines.enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            do throws(BadLine) {
                let entry = try Self.entry(line, index + 1)
                if let earlier = read.first(where: { $0.spoken == entry.spoken }) {
                    throw BadLine("line \(earlier.line) has the same words. Remove one")
                }
                guard read.count < Self.mostEntries else {
                    throw BadLine("there are more than \(Self.mostEntries) replacements. Remove some")
                }
                read.append(entry)
            } catch {
                throw CommandError(.badReplacements, "\(name), line \(index + 1): \(error.reason).")
            }
        }
        unspaced = read.filter { $0.isUnspaced && $0.spoken.count == 1 }
            .sorted { $0.spoken[0].count > $1.spoken[0].count }
        entries = Dictionary(grouping: read) { $0.spoken[0] }
            .mapValues { $0.sorted { $0.spoken.count > $1.spoken.count } }
    }

    private struct BadLine: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private static func entry(_ line: String, _ number: Int) throws(BadLine) -> Entry {
        guard let arrow = arrows.lazy.compactMap({ line.firstRange(of: $0) }).first else {
            throw BadLine("there is no arrow. Write  spoken → written")
        }
        let spoken = words(String(line[..<arrow.lowerBound])).map(\.core)
        let written = line[arrow.upperBound...].trimmingCharacters(in: .whitespaces)
        guard !spoken.isEmpty, spoken.allSatisfy({ !$0.isEmpty }) else {
            throw BadLine("there is no spoken word before the arrow. Write  spoken → written")
        }
        guard spoken.count <= mostWords, written.count <= longestWritten else {
            throw BadLine(
                "it is too long. Write at most \(mostWords) spoken words and \(longestWritten) characters for them")
        }
        return Entry(spoken: spoken, written: DeliveredText.cleaned(written), line: number)
    }

    /// A recognised word: its letters in lower case, between the marks that an engine put beside them.
    struct Word: Sendable, Hashable {
        let before: String
        let core: String
        let after: String
    }

    static func words(_ said: String) -> [Word] { said.split(whereSeparator: \.isWhitespace).map { word(String($0)) } }

    static func word(_ said: String) -> Word {
        let before = said.prefix { marks.contains($0) }
        let after = said.dropFirst(before.count).reversed().prefix { marks.contains($0) }.reversed()
        let core = said.dropFirst(before.count).dropLast(after.count)
        return Word(before: String(before), core: core.lowercased(), after: String(after))
    }

    /// What is written for the words at a place, and how many words that are; `nil`: none is replaced.
    func replacement(of words: [Word], at place: Int) -> (text: String, count: Int)? {
        guard !entries.isEmpty else { return nil }
        for entry in entries[words[place].core] ?? [] {
            if let text = Self.text(entry, words, at: place) { return (text, entry.spoken.count) }
        }
        return nil
    }

    /// A recognised word with the replacements inside it, of scripts without spaces. What was written is not replaced again: it
    /// could grow without a bound.
    func inside(_ word: String) -> String {
        guard !unspaced.isEmpty else { return word }
        var (written, rest) = ("", word[...])
        while let first = rest.first {
            let found = unspaced.lazy.compactMap { entry in
                rest.range(of: entry.spoken[0], options: [.anchored, .caseInsensitive]).map { ($0, entry.written) }
            }.first
            written += found?.1 ?? String(first)
            rest = found.map { rest[$0.0.upperBound...] } ?? rest.dropFirst()
        }
        return written
    }

    private static func text(_ entry: Entry, _ words: [Word], at place: Int) -> String? {
        let last = place + entry.spoken.count - 1
        guard last < words.count else { return nil }
        for (index, spoken) in entry.spoken.enumerated().dropFirst() {
            // A mark between two words is a pause that the user did not mean.
            guard words[place + index].before.isEmpty, words[place + index - 1].after.isEmpty else { return nil }
            let said = words[place + index].core
            let isLast = place + index == last
            guard said == spoken || isLast && entry.isUnspaced && said.hasPrefix(spoken) else { return nil }
        }
        let rest = words[last].core.dropFirst(entry.spoken[entry.spoken.count - 1].count)
        guard !entry.written.isEmpty || !rest.isEmpty else { return "" }
        return words[place].before + entry.written + rest + words[last].after
    }

    private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Hiragana to Katakana; Han; Hangul.
        case 0x3040...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7A3, 0x20000...0x2FFFF: true
        default: false
        }
    }
}

/// “Scratch that”: takes back the words before it, or the utterance before.
enum ScratchThat {
    static let command = ["scratch", "that"]

    /// - Parameter said: the words of an utterance.
    /// - Returns: how many utterances before are taken back, and what remains of this one.
    static func reading(_ said: [String]) -> (earlier: Int, kept: [String]) {
        let cores = said.map { Replacements.word($0).core }
        var (earlier, kept) = (0, [String]())
        var place = 0
        while place < said.count {
            guard cores[place...].prefix(2).elementsEqual(command) else {
                kept.append(said[place])
                place += 1
                continue
            }
            if cores[..<place].last == SpokenMark.escape {
                kept = kept.dropLast() + said[place..<(place + 2)]
            } else if kept.isEmpty {
                earlier += 1
            } else {
                kept = []
            }
            place += 2
        }
        return (earlier, kept)
    }
}
