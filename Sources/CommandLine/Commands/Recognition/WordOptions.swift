import ArgumentParser
import Foundation
import LinuxSystem
import Speech

/// What a command tells of the words that are about to be said.
struct WordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Words that are likely to be said, such as a name; may stand several times.", valueName: "text"))
    var contextPhrase: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Text that you wrote: its words, and how they follow each other, are recognised better. A file, or a folder \
            with its .txt and .md files; may stand several times. 512 KiB at most, the newest files first.
            """, valueName: "file or folder"))
    var words: [String] = []

    @Option(
        help: ArgumentHelp(
            "Recognise only what this grammar allows (JSGF).", valueName: "file"))
    var grammar: String?

    @Option(
        help: ArgumentHelp(
            "How long a pause ends an utterance: dictation, search (shorter) or command (shortest).", valueName: "task")
    )
    var task: TaskHint?

    @Option(
        help: ArgumentHelp("Tell so many other readings of each utterance, 0 to 10; with --json.", valueName: "number"))
    var alternatives: Int?

    func validate() throws {
        guard contextPhrase.count <= UserWords.mostPhrases else {
            throw ValidationError("--context-phrase may stand \(UserWords.mostPhrases) times at most.")
        }
        guard contextPhrase.allSatisfy({ $0.count <= UserWords.longestPhrase }) else {
            throw ValidationError("A context phrase may have at most \(UserWords.longestPhrase) characters.")
        }
        if let alternatives, !(0...RecognitionConfiguration.mostAlternatives).contains(alternatives) {
            throw ValidationError(
                "--alternatives takes a number from 0 to \(RecognitionConfiguration.mostAlternatives).")
        }
    }

    /// Reads what is in files, and tells what was left out.
    ///
    /// - Throws: `CommandError` with `noInput`.
    func read(telling output: Output) async throws -> GivenWords {
        let (paths, grammar) = (words, grammar)
        return try await Blocking.run {
            var text: String?
            if !paths.isEmpty {
                let writing = try OwnWriting(paths)
                for note in writing.notes { output.warn(note) }
                text = writing.text
            }
            return GivenWords(
                contextPhrases: contextPhrase.isEmpty ? nil : contextPhrase, text: text,
                grammar: try grammar.map(Self.grammarText), taskHint: task, alternatives: alternatives)
        }
    }

    private static func grammarText(_ path: String) throws(CommandError) -> String {
        do throws(FileError) {
            let file = try RegularFile(path: path, limit: RecognitionTask.longestGrammar)
            return String(decoding: file.data, as: UTF8.self)
        } catch {
            throw CommandError(.noInput, .noInput, "The grammar cannot be read: \(error)")
        }
    }
}

extension TaskHint: ExpressibleByArgument {}

/// What the person gave of the words that are about to be said; as the service takes it.
struct GivenWords: Sendable, Hashable {
    let contextPhrases: [String]?
    let text: String?
    /// JSGF.
    let grammar: String?
    let taskHint: TaskHint?
    let alternatives: Int?
}

/// Text of the person's own from files and folders, as much as a session takes.
struct OwnWriting: Sendable {
    /// Files of folders that are looked at.
    private static let mostFiles = 5_000
    private static let deepest = 16
    private static let endings = [".txt", ".md"]

    private(set) var text = ""
    /// Sentences: what was left out, and why.
    private(set) var notes: [String] = []

    private struct Found {
        let path: String
        let metadata: FileMetadata
    }

    private var found: [Found] = []

    /// Newest files first, until there is no room; of folders the files that end in `.txt` or `.md`, without hidden ones and
    /// without following links.
    ///
    /// - Throws: `noInput` when one of the paths themselves cannot be read.
    init(_ paths: [String]) throws(CommandError) {
        for path in paths {
            do throws(FileError) {
                let metadata = try FileMetadata(path: path)
                if metadata.isDirectory {
                    look(in: path, depth: 1)
                } else {
                    found.append(Found(path: path, metadata: metadata))
                }
            } catch {
                throw CommandError(.noInput, .noInput, "Your words cannot be read: \(error)")
            }
        }
        if found.count >= Self.mostFiles { notes.append("Only \(Self.mostFiles) files of your words were looked at.") }
        try take(named: Set(paths))
    }

    private mutating func look(in folder: String, depth: Int) {
        guard depth <= Self.deepest, let names = try? Folder.names(in: folder, limit: Self.mostFiles) else {
            notes.append("The folder \(folder) cannot be read; it was left out.")
            return
        }
        for name in names where !name.hasPrefix(".") && found.count < Self.mostFiles {
            let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            let metadata = FileMetadata(status)
            if metadata.isDirectory {
                look(in: path, depth: depth + 1)
            } else if metadata.isRegularFile, Self.endings.contains(where: { name.lowercased().hasSuffix($0) }) {
                found.append(Found(path: path, metadata: metadata))
            }
        }
    }

    private mutating func take(named: Set<String>) throws(CommandError) {
        var leftOut: [String] = []
        var taken: Set<String> = []
        for file in found.sorted(by: { ($1.metadata.modifiedAt, $0.path) < ($0.metadata.modifiedAt, $1.path) })
        where taken.insert(file.path).inserted {
            let room = UserWords.longestText - text.utf8.count - 2
            guard file.metadata.size <= room else {
                leftOut.append(file.path)
                continue
            }
            do throws(FileError) {
                let data = try RegularFile(path: file.path, limit: room).data
                guard !data.contains(0) else {
                    notes.append("\(file.path) is no text; it was left out.")
                    continue
                }
                let decoded = String(decoding: data, as: UTF8.self)
                // Bytes that are no UTF-8 become longer.
                guard decoded.utf8.count <= room else {
                    leftOut.append(file.path)
                    continue
                }
                text += (text.isEmpty ? "" : "\n\n") + decoded
            } catch {
                guard !named.contains(file.path) else {
                    throw CommandError(.noInput, .noInput, "Your words cannot be read: \(error)")
                }
                notes.append("\(file.path) cannot be read; it was left out.")
            }
        }
        guard let first = leftOut.first else { return }
        let others = leftOut.count > 1 ? " and \(leftOut.count - 1) other files were" : " was"
        notes.append(
            "\(first)\(others) left out: \(UserWords.longestText >> 10) KiB of your words are taken, the newest files first."
        )
    }
}
