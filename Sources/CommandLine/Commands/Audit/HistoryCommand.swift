import ArgumentParser
import Authorization
import Foundation
import Glibc
import SocketAPI
import VoiceGateClient

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "What VoiceGate keeps of what you said, and for how long.",
        discussion: """
            VoiceGate keeps nothing unless a program's manifest declares it and you agreed to the prompt that said so. For \
            a history of your own dictations write  keepTranscripts: P30D  into config.yaml.
            Taking a permission back (voicegate reset, voicegate settings) erases what was kept with it.
            """,
        subcommands: [
            HistoryListCommand.self, HistoryShowCommand.self, HistoryExportCommand.self, HistoryEraseCommand.self,
        ], defaultSubcommand: HistoryListCommand.self)
}

struct HistoryListCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List what is kept, oldest first, with its text and its end.")

    @Option(help: ArgumentHelp("List only what was heard for this program.", valueName: "id"))
    var client: String?

    @Option(
        help: ArgumentHelp("List only what was kept then or later, such as 2026-11-21.", valueName: "time"),
        transform: TimeArgument.time)
    var since: Date?

    @OptionGroup var options: GlobalOptions

    func validate() throws { try HistorySupport.check(client) }

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        var isEmpty = true
        for try await entry in try await service.history(client: client, since: since, texts: true) {
            isEmpty = false
            if context.output.isJSON {
                try context.output.json(entry)
            } else {
                for line in HistoryText.lines(entry) { try context.output.line(line) }
            }
        }
        guard isEmpty, !context.output.isJSON else { return }
        for line in HistoryText.nothing(try await service.keeping()) { context.output.note(line) }
    }
}

struct HistoryShowCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a transcript that is kept, an utterance a line.")

    @Argument(help: "The item's identifier, or its beginning as the list shows it.")
    var item: String

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        for entry in try await HistorySupport.entries([item], service) {
            guard entry.kind == .transcript else {
                throw CommandError(
                    .noInput, .usage,
                    "\(entry.item) is no text. To hear it:  voicegate history export \(entry.item.prefix(8)) --output "
                        + "FILE.wav")
            }
            for utterance in try await HistorySupport.utterances(entry.item, service) {
                if context.output.isJSON {
                    try context.output.json(utterance)
                } else {
                    try context.output.line(DisplayText.cleaned(utterance.text, limit: 4000))
                }
            }
        }
    }
}

struct HistoryExportCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write something that is kept to a file of yours.",
        discussion:
            "A recording becomes a WAV file, a transcript a text. The file is yours: VoiceGate does not erase it.")

    @Argument(help: "The item's identifier, or its beginning as the list shows it.")
    var item: String

    @Option(name: .shortAndLong, help: ArgumentHelp("The file; it must not be there yet.", valueName: "file"))
    var output: String

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        for entry in try await HistorySupport.entries([item], service) {
            // Before the file is made: what cannot be read leaves no empty one.
            let content = try await service.keptContent(entry.item)
            let file = try NewFile(path: output)
            do {
                if entry.kind == .transcript {
                    for utterance in try await HistorySupport.utterances(entry.item, service) {
                        try file.write(Array((utterance.text + "\n").utf8))
                    }
                } else {
                    for try await bytes in content { try file.write(bytes) }
                }
            } catch {
                file.remove()
                throw error
            }
            context.output.note("\(output) was written. VoiceGate erases its own copy on time, and not this one.")
        }
    }
}

struct HistoryEraseCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase what is kept, at once and for good.",
        discussion: "The consent log keeps that it was kept, and that it was erased.")

    @Argument(help: "Identifiers, or their beginnings as the list shows them.")
    var items: [String] = []

    @Option(help: ArgumentHelp("All that was heard for this program.", valueName: "id"))
    var client: String?

    @Flag(help: "All that is kept.")
    var all = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try HistorySupport.check(client)
        guard [!items.isEmpty, client != nil, all].count(where: { $0 }) == 1 else {
            throw ValidationError("Give identifiers, --client or --all: one of the three.")
        }
    }

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        let count: Int
        if items.isEmpty {
            count = try await service.eraseHistory(of: client)
        } else {
            let entries = try await HistorySupport.entries(items, service)
            count = try await service.erase(items: entries.map(\.item))
        }
        if context.output.isJSON { return try context.output.json(ErasureReply(erased: count)) }
        context.output.note(
            count == 0 ? "Nothing was kept of it." : "Erased: \(count) \(count == 1 ? "item" : "items").")
    }
}

enum HistorySupport {
    static func check(_ client: String?) throws {
        if let client, ClientIdentifier(rawValue: client) == nil {
            throw ValidationError("A program is named by its bundle identifier, such as io.voicegate.cli.")
        }
    }

    /// Items by the beginnings of their identifiers, as the list shows them.
    static func entries(_ beginnings: [String], _ service: VoiceGateClient) async throws -> [HistoryEntry] {
        var kept: [HistoryEntry] = []
        for try await entry in try await service.history() { kept.append(entry) }
        return try beginnings.map { beginning in
            let found = kept.filter { !beginning.isEmpty && $0.item.hasPrefix(beginning.lowercased()) }
            guard let entry = found.first, found.count == 1 else {
                throw CommandError(
                    .noInput, .noInput,
                    found.isEmpty
                        ? "Nothing is kept as \(beginning). voicegate history lists what is kept."
                        : "\(found.count) items begin with \(beginning). Give more of the identifier.")
            }
            return entry
        }
    }

    /// The utterances of a transcript.
    static func utterances(_ item: String, _ service: VoiceGateClient) async throws -> [KeptUtterance] {
        var bytes: [UInt8] = []
        for try await piece in try await service.keptContent(item) { bytes += piece }
        let decoder = JSONCoding.decoder()
        return try bytes.split(separator: UInt8(ascii: "\n")).map { line in
            try decoder.decode(KeptUtterance.self, from: Data(line))
        }
    }
}

/// What is kept, as a person reads it.
enum HistoryText {
    /// When, for whom, what, its end, and the beginning of its identifier; below it the text.
    static func lines(_ entry: HistoryEntry, timeZone: TimeZone = .current) -> [String] {
        var parts = [DayAndTime.text(entry.date, timeZone: timeZone), cleaned(entry.name)]
        if entry.kind == .recording { parts.append("recording \(length(entry.bytes))") }
        if entry.kind == .voiceProfile { parts.append("voice profile") }
        parts.append(end(entry, timeZone))
        parts.append(String(entry.item.prefix(8)))
        let texts = (entry.text ?? "").split(separator: "\n").map { "    " + cleaned(String($0)) }
        return [parts.joined(separator: "  ")] + texts + (entry.problem.map { ["    " + cleaned($0)] } ?? [])
    }

    static func nothing(_ keeping: KeepingReply) -> [String] {
        guard !keeping.clients.isEmpty else {
            return [
                "Nothing is kept, and no program's manifest declares that anything is to be (VoiceGateKeptByService).",
                "For a history of your own dictations write  keepTranscripts: P30D  into config.yaml, and start the service "
                    + "again.",
            ]
        }
        return ["Nothing is kept. These programs declare that VoiceGate keeps something:"]
            + keeping.clients.flatMap(declaration)
    }

    private static func declaration(_ client: KeepingReply.Client) -> [String] {
        let kinds = client.declared.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value.text))" }
        let line = "    \(cleaned(client.name)) (\(client.client)): \(kinds.joined(separator: ", "))"
        guard client.agreed != client.declared else { return [line] }
        return [
            line,
            "        You have not agreed to all of it. To be asked again:  voicegate reset --client \(client.client)",
        ]
    }

    /// Of sound of 16 kHz with 16 bits.
    static func length(_ bytes: Int64) -> String {
        let seconds = bytes / 32_000
        return String(format: "%lld:%02lld", seconds / 60, seconds % 60)
    }

    private static func end(_ entry: HistoryEntry, _ timeZone: TimeZone) -> String {
        entry.until.map { "until \(DayAndTime.text($0, timeZone: timeZone))" } ?? "until you take it back"
    }

    /// What was said, or a program's name, must not draw on the terminal.
    private static func cleaned(_ text: String) -> String { DisplayText.cleaned(text, limit: 4000) }
}

/// A file that was not there, for its owner alone.
final class NewFile {
    private let path: String
    private let handle: FileHandle

    init(path: String) throws(CommandError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let advice =
                errno == EEXIST ? "It is there already; choose another name." : String(cString: strerror(errno))
            throw CommandError(.cannotWrite, .cannotWrite, "\(path) cannot be made: \(advice)")
        }
        self.path = path
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ bytes: [UInt8]) throws(CommandError) {
        do {
            try handle.write(contentsOf: bytes)
        } catch {
            throw CommandError(.cannotWrite, .cannotWrite, "\(path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Takes away half of a file.
    func remove() { unlink(path) }
}
