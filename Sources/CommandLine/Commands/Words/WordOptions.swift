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
