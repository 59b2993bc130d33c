import ArgumentParser
import Foundation
import LinuxSystem
import SocketAPI
import Speech

/// Hints about the expected speech.
struct WordOptions: ParsableArguments {
    @Option(
        help: .init(
            "A likely word or phrase, such as a name; repeatable. For PocketSphinx and engines by Wyoming.",
            valueName: "text"))
    var contextPhrase: [String] = []

    @Option(
        help: .init(
            """
            Your sample text, whose words and word order are recognised better: a file, or a folder with .txt and \
            .md files; repeatable. At most 512 KiB, the newest files first. For PocketSphinx.
            """, valueName: "file or folder"), completion: .file())
    var words: [String] = []

    @Option(
        help: .init(
            "Recognise only what this grammar allows (JSGF); not for neural engines.", valueName: "file"),
        completion: .file())
    var grammar: String?

    @Option(
        help: .init(
            "The pause that ends an utterance: dictation, search (shorter) or command (shortest).", valueName: "task")
    )
    var task: TaskHint?

    @Option(
        help: .init(
            "Report up to this many alternatives per utterance, 0 to 10; only with --json. For PocketSphinx and Vosk.",
            valueName: "number"))
    var alternatives: Int?

    @Option(
        help: .init(
            """
            The language that is spoken, such as en or en-US; refused if no engine here recognises it. auto: the language of \
            the chosen engine. (default: your locale's; auto if that is English)
            """, valueName: "tag"))
    var language: String?

    /// The language to ask for: the given one, or the locale's. The service has the locale of another session, or none.
    var spokenLanguage: String? {
        language ?? SpokenLanguage.ofLocale(in: ProcessInfo.processInfo.environment)?.code
    }

    func validate() throws {
        guard contextPhrase.count <= UserWords.mostPhrases else {
            throw ValidationError("--context-phrase can be used at most \(UserWords.mostPhrases) times.")
        }
        guard contextPhrase.allSatisfy({ $0.count <= UserWords.longestPhrase }) else {
            throw ValidationError("A context phrase can have at most \(UserWords.longestPhrase) characters.")
        }
        if let alternatives, !(0...RecognitionConfiguration.mostAlternatives).contains(alternatives) {
            throw ValidationError(
                "--alternatives takes a number from 0 to \(RecognitionConfiguration.mostAlternatives).")
        }
        if let language, language != SpokenLanguage.any, SpokenLanguage(tag: language) == nil {
            throw ValidationError(
                "--language takes a tag such as en or en-US, or \(SpokenLanguage.any)."
                    + SpokenLanguage.advice(for: language))
        }
    }

    /// Reads the files, and reports what was left out.
    func read(reportingTo output: Output) async throws -> TranscriptionRequest {
        let (paths, grammar) = (words, grammar)
        return try await Blocking.run {
            var text: String?
            if !paths.isEmpty {
                let writing = try OwnWriting(paths)
                for note in writing.notes { output.warn(note) }
                text = writing.text
            }
            return TranscriptionRequest(
                taskHint: task, contextPhrases: contextPhrase.isEmpty ? nil : contextPhrase, words: text,
                grammar: try grammar.map(Self.grammarText), alternatives: alternatives)
        }
    }

    private static func grammarText(_ path: String) throws(CommandError) -> String {
        do throws(FileError) {
            return try RegularFile(path: path, limit: RecognitionTask.longestGrammar).text()
        } catch {
            throw CommandError(.noInput, "The grammar cannot be read: \(error)")
        }
    }
}

/// The user's sample text from files and folders, up to the limit of a session.
struct OwnWriting: Sendable {
    /// Files examined in folders.
    private static let mostFiles = 5_000
    private static let deepest = 16
    private static let endings = [".txt", ".md"]

    private(set) var text = ""
    /// What was left out and why, as sentences.
    private(set) var notes: [String] = []

    private var found: [(path: String, metadata: FileMetadata)] = []

    /// The newest files first, up to the limit; of folders the `.txt` and `.md` files, without hidden files and links.
    init(_ paths: [String]) throws(CommandError) {
        for path in paths {
            do throws(FileError) {
                let metadata = try FileMetadata(path: path)
                if metadata.isDirectory {
                    look(in: path, depth: 1)
                } else {
                    found.append((path, metadata))
                }
            } catch {
                throw CommandError(.noInput, "The sample text cannot be read: \(error)")
            }
        }
        if found.count >= Self.mostFiles { notes.append("Only \(Self.mostFiles) files of sample text were examined.") }
        try take(named: Set(paths))
    }

    private mutating func look(in folder: String, depth: Int) {
        guard depth <= Self.deepest, let names = try? Folder.names(in: folder, limit: Self.mostFiles) else {
            notes.append("The folder \(folder) cannot be read and was left out.")
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
                found.append((path, metadata))
            }
        }
    }

    private mutating func take(named: Set<String>) throws(CommandError) {
        var leftOut: [String] = []
        var taken: Set<String> = []
        for file in found.sorted(by: { ($1.metadata.modifiedAt, $0.path) < ($0.metadata.modifiedAt, $1.path) })
        where taken.insert(file.path).inserted {
            let space = UserWords.longestText - text.utf8.count - 2
            guard file.metadata.size <= space else {
                leftOut.append(file.path)
                continue
            }
            do throws(FileError) {
                let words = try RegularFile(path: file.path, limit: space).text()
                guard !words.utf8.contains(0) else {
                    notes.append("\(file.path) is not text and was left out.")
                    continue
                }
                text += (text.isEmpty ? "" : "\n\n") + words
            } catch let error where error.code == .notText {
                notes.append("\(file.path) was left out: \(error.reason).")
            } catch {
                try require(!named.contains(file.path), .noInput, "The sample text cannot be read: \(error)")
                notes.append("\(file.path) cannot be read and was left out.")
            }
        }
        guard let first = leftOut.first else { return }
        let others = leftOut.count > 1 ? " and \(leftOut.count - 1) other files were" : " was"
        notes.append(
            "\(first)\(others) left out: the limit is \(UserWords.longestText >> 10) KiB, the newest files first."
        )
    }
}
