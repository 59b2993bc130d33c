import ArgumentParser
import Authorization
import Base
import CommandClient
import CommandText
import Foundation
import LinuxSystem
import SocketAPI

import enum Prompting.TerminalColumns

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show, export and erase the data that VoiceGate keeps of your speech.",
        discussion: """
            VoiceGate keeps data only if a program's manifest declares it and you agreed in the prompt. To keep a history \
            of your own dictations, write  keepTranscripts: P30D  into config.yaml.
            Withdrawing a permission (voicegate reset, voicegate settings) erases the data kept with it.
            """,
        subcommands: [
            HistoryListCommand.self, HistoryShowCommand.self, HistoryExportCommand.self, HistoryEraseCommand.self,
        ], defaultSubcommand: HistoryListCommand.self)

    /// Items by the beginnings of their identifiers.
    static func entries(_ beginnings: [String], _ service: ServiceClient) async throws -> [HistoryEntry] {
        let kept = try await service.history().all()
        return try beginnings.map { try kept.one($0, \.item, "item", list: "voicegate history") }
    }

    static func utterances(_ item: String, _ service: ServiceClient) async throws -> [KeptUtterance] {
        let bytes: [UInt8] = try await service.keptContent(item).reduce(into: []) { $0 += $1 }
        return try bytes.split(separator: UInt8(ascii: "\n")).map {
            try JSONCoding.decoder().decode(KeptUtterance.self, from: Data($0))
        }
    }
}

struct HistoryListCommand: ConnectedCommand, PagedCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the kept items, oldest first, a line each with the beginning of the text.",
        discussion: """
            At a terminal a pager shows them page by page. The whole text: voicegate history show ID, which also says until when it \
            is kept; --json has all of it.
            """)

    @Option(help: .init("Only transcripts with this text, shown from there.", valueName: "text"))
    var search: String?

    @Option(
        help: .init("Only items of this program.", valueName: "id"), completion: .clients,
        transform: ArgumentReader.client)
    var client: String?

    @Option(
        help: .init("Only items from this time on: \(TimeArgument.forms).", valueName: "time"),
        transform: ArgumentReader.time)
    var since: Date?

    @Option(help: .init("Only items before this time.", valueName: "time"), transform: ArgumentReader.time)
    var until: Date?

    @OptionGroup var paging: PagingOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if let since, let until, since >= until { throw ValidationError("--since must be before --until.") }
    }

    func run(_ context: CommandContext, _ service: ServiceClient) async throws {
        let columns = isatty(STDOUT_FILENO) == 1 ? context.output.width : HistoryText.usualColumns
        var (isEmpty, isFound) = (true, false)
        for try await entry in try await service.history(client: client, since: since, until: until, texts: true) {
            isEmpty = false
            guard search.map({ HistoryText.place(of: $0, in: entry) != nil }) ?? true else { continue }
            isFound = true
            try context.output.result(entry, HistoryText.lines(entry, columns: columns, from: search))
        }
        if let search, !isFound, !isEmpty, !context.output.isJSON {
            context.output.note("No kept transcript has “\(search)”.")
        }
        guard isEmpty else { return }
        try await context.requireKnown(client, service)
        if context.output.isJSON { return }
        guard since == nil, until == nil else { return context.output.note("Nothing was kept in this time.") }
        for line in HistoryText.nothing(try await service.keeping()) { context.output.note(line) }
    }
}

struct HistoryShowCommand: ConnectedCommand, PagedCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a kept transcript, one utterance per line.",
        discussion: "What it is and until when it is kept goes to standard error.")

    @Argument(help: "The item's identifier or its beginning.")
    var item: String

    @OptionGroup var paging: PagingOptions
    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext, _ service: ServiceClient) async throws {
        for entry in try await HistoryCommand.entries([item], service) {
            try require(
                entry.kind == .transcript, .noInput, status: .usage,
                "\(entry.item) is not a transcript. To export it:  voicegate history export "
                    + "\(entry.item.prefix(8)) --output FILE.wav")
            if !context.output.isJSON { context.output.note(HistoryText.heading(entry)) }
            for utterance in try await HistoryCommand.utterances(entry.item, service) {
                try context.output.result(utterance, [DisplayText.cleaned(utterance.text, limit: 4000)])
            }
        }
    }
}

struct HistoryExportCommand: ConnectedCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a kept item to a file.",
        discussion: "A recording becomes a WAV file, a transcript a text. VoiceGate does not erase this file.")

    @Argument(help: "The item's identifier or its beginning.")
    var item: String

    @Option(name: .shortAndLong, help: .init("The new file.", valueName: "file"), completion: .file())
    var output: String

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext, _ service: ServiceClient) async throws {
        for entry in try await HistoryCommand.entries([item], service) {
            // Requested first: an unreadable item leaves no empty file.
            let content = try await service.keptContent(entry.item)
            let file = try newFile()
            do {
                if entry.kind == .transcript {
                    for utterance in try await HistoryCommand.utterances(entry.item, service) {
                        try write(Array((utterance.text + "\n").utf8), to: file)
                    }
                } else {
                    for try await bytes in content { try write(bytes, to: file) }
                }
            } catch {
                unlink(output)
                throw error
            }
            try context.output.result(
                ["item": entry.item, "path": output],
                note: "\(output) was written. VoiceGate erases its own copy on time, but not this file.")
        }
    }

    /// Only its owner can read it.
    private func newFile() throws -> FileHandle {
        let descriptor = open(output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true) }
        throw errno == EEXIST
            ? CommandError(.cannotWrite, "\(output) exists already. Choose another name.")
            : CommandError.cannotWrite(output, systemMessage())
    }

    private func write(_ bytes: [UInt8], to file: FileHandle) throws {
        do {
            try file.write(contentsOf: bytes)
        } catch {
            throw CommandError.cannotWrite(output, error.localizedDescription)
        }
    }
}

struct HistoryEraseCommand: ConnectedCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase kept items at once and permanently.",
        discussion: "Asks at a terminal. The consent log documents that they were kept and erased.")

    @Argument(help: "Identifiers or their beginnings.")
    var items: [String] = []

    @Option(help: .init("All items of this program.", valueName: "id"), transform: ArgumentReader.client)
    var client: String?

    @Flag(help: "All items.")
    var all = false

    @OptionGroup var erasure: ErasureOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard [!items.isEmpty, client != nil, all].count(where: { $0 }) == 1 else {
            throw ValidationError("Exactly one of identifiers, --client and --all is required.")
        }
    }

    func run(_ context: CommandContext, _ service: ServiceClient) async throws {
        let entries =
            try await items.isEmpty
            ? context.kept(of: client, service) : HistoryCommand.entries(items, service)
        let planned = items.isEmpty ? KeptSummary.lines(entries) : entries.flatMap { HistoryText.lines($0) }
        guard try await context.agrees(toErase: planned.isEmpty ? [] : ["To be erased:"] + planned, erasure) else {
            return
        }
        let count =
            try await items.isEmpty
            ? service.eraseHistory(of: client) : service.erase(items: entries.map(\.item))
        if count == 0 { try await context.requireKnown(client, service) }
        try context.output.result(
            ErasureReply(erased: count),
            note: count == 0 ? "There was nothing to erase." : "Erased: \(count) \(count == 1 ? "item" : "items").")
    }
}

/// Kept items as lines of text.
enum HistoryText {
    /// Of a line that no terminal shows.
    static let usualColumns = 120
    /// Of a text's beginning, also in a narrow terminal.
    private static let fewestColumns = 20
    /// Characters before the text that was searched for.
    private static let context = 15

    /// One line: identifier, time, program, and the beginning of the text, or the kind of the item. Below it what is wrong with it.
    ///
    /// - Parameter search: the text begins shortly before this.
    static func lines(
        _ entry: HistoryEntry, columns: Int = usualColumns, from search: String? = nil, timeZone: TimeZone = .local
    ) -> [String] {
        let parts = [
            String(entry.item.prefix(8)), DayAndTime.text(entry.date, timeZone: timeZone), cleaned(entry.name),
        ].joined(separator: "  ")
        let room = max(columns - TerminalColumns.count(parts) - 3, fewestColumns)
        let text = kind(entry) ?? beginning(of: whole(entry), from: search.flatMap { place(of: $0, in: entry) }, room)
        return [text.isEmpty ? parts : parts + "  " + text] + (entry.problem.map { ["    " + cleaned($0)] } ?? [])
    }

    /// Time, program, kind and expiry.
    static func heading(_ entry: HistoryEntry, timeZone: TimeZone = .local) -> String {
        [
            DayAndTime.text(entry.date, timeZone: timeZone), cleaned(entry.name), kind(entry),
            expiry(entry.until, timeZone),
        ].compactMap(\.self).joined(separator: "  ")
    }

    /// Where a text is in a transcript; capitals and accents do not count.
    static func place(of search: String, in entry: HistoryEntry) -> String.Index? {
        whole(entry).range(of: search, options: [.caseInsensitive, .diacriticInsensitive])?.lowerBound
    }

    private static func kind(_ entry: HistoryEntry) -> String? {
        switch entry.kind {
        case .recording: "recording \(length(entry.bytes))"
        case .microphoneProfile: "microphone profile"
        case .liveAudio, .transcript: nil
        }
    }

    private static func whole(_ entry: HistoryEntry) -> String {
        cleaned(
            (entry.text ?? "").split(whereSeparator: \.isNewline).joined(separator: " "), limit: Int.max)
    }

    private static func beginning(of text: String, from place: String.Index?, _ columns: Int) -> String {
        let start = place.flatMap { text.index($0, offsetBy: -context, limitedBy: text.startIndex) } ?? text.startIndex
        var shown = start == text.startIndex ? "" : "…"
        for character in text[start...] {
            guard TerminalColumns.count(shown) + TerminalColumns.count(String(character)) <= columns else {
                return shown + "…"
            }
            shown.append(character)
        }
        return shown
    }

    static func nothing(_ keeping: KeepingReply) -> [String] {
        guard !keeping.clients.isEmpty else {
            return [
                "Nothing is kept, and no program's manifest declares that data is kept (VoiceGateKeptByService).",
                "To keep a history of your own dictations, write  keepTranscripts: P30D  into config.yaml, then: "
                    + "voicegate service restart",
            ]
        }
        return ["Nothing is kept. These programs declare that VoiceGate keeps data:"]
            + keeping.clients.flatMap(declaration)
    }

    static func expiry(_ date: Date?, _ timeZone: TimeZone) -> String {
        date.map { "until \(DayAndTime.text($0, timeZone: timeZone))" } ?? "until you withdraw it"
    }

    private static func declaration(_ client: KeepingReply.Client) -> [String] {
        let kinds = client.declared.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value.text))" }
        let line = "    \(cleaned(client.name)) (\(client.client)): \(kinds.joined(separator: ", "))"
        guard client.agreed != client.declared else { return [line] }
        return [
            line,
            "        You have not agreed to all of it. The program is asked about when it next needs a permission.",
        ]
    }

    /// The length of 16-bit sound at 16 kHz.
    static func length(_ bytes: Int64) -> String {
        let seconds = bytes / 32_000
        return String(format: "%lld:%02lld", seconds / 60, seconds % 60)
    }

    /// Speech and program names must not draw on the terminal.
    private static func cleaned(_ text: String, limit: Int = 4_000) -> String {
        DisplayText.cleaned(text, limit: limit)
    }
}
