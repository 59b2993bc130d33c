import ArgumentParser
import Authorization
import Consent
import Foundation
import SocketAPI
import VoiceGateClient

struct SettingsCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show and change what you decided, for each program.",
        discussion: """
            On a terminal it shows everything full-screen, with keys to change it; ? is help. Elsewhere it prints; for \
            one program with all that is known about its answers. With options it changes and then prints what it came \
            to. A change reaches a program that listens at once. RESOURCE is speechRecognition or microphone.
            """)

    @Argument(help: "The program's bundle identifier, such as io.voicegate.cli. (default: all)")
    var client: String?

    @Option(help: ArgumentHelp("Allow it.", valueName: "resource"))
    var allow: [Resource] = []

    @Option(help: ArgumentHelp("Do not allow it.", valueName: "resource"))
    var deny: [Resource] = []

    @Option(help: ArgumentHelp("Ask again at the next use.", valueName: "resource"))
    var ask: [Resource] = []

    @Option(
        help: ArgumentHelp(
            "With --allow: whileInUse, or always where it is allowed already. (default: as it is, else whileInUse)",
            valueName: "scope"))
    var scope: Scope?

    @Option(
        help: ArgumentHelp(
            "With --allow speechRecognition: full, or reduced to the phrases that the program declares. (default: as it "
                + "is)", valueName: "fidelity"))
    var fidelity: Fidelity?

    @Option(
        help: ArgumentHelp(
            "Of another user, by name or number: for root, where the machine's own service runs. What root decides is "
                + "recorded as the administrator's act, and that user sees it.", valueName: "name"),
        transform: UserNumber.read)
    var user: UInt32?

    @OptionGroup var options: GlobalOptions

    private var changes: [SettingsChange] {
        allow.map {
            SettingsChange(
                resource: $0, choice: .allow, scope: scope, fidelity: $0 == .speechRecognition ? fidelity : nil)
        }
            + deny.map { SettingsChange(resource: $0, choice: .deny) }
            + ask.map { SettingsChange(resource: $0, choice: .ask) }
    }

    func validate() throws {
        if client == nil, !changes.isEmpty {
            throw ValidationError("Say whose settings to change: voicegate settings CLIENT --allow RESOURCE")
        }
        if Set(changes.map(\.resource)).count < changes.count {
            throw ValidationError("Give one of --allow, --deny and --ask for a resource.")
        }
        if scope != nil, allow.isEmpty { throw ValidationError("--scope goes with --allow RESOURCE.") }
        if scope == .once { throw ValidationError("once is an answer to a prompt. To be asked again: --ask RESOURCE") }
        if fidelity != nil, !allow.contains(.speechRecognition) {
            throw ValidationError("--fidelity goes with --allow speechRecognition.")
        }
        if let client, ClientIdentifier(rawValue: client) == nil {
            throw ValidationError("A program is named by its bundle identifier, such as io.voicegate.cli.")
        }
    }

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        if let client {
            try await showNotices(of: client, service, context.output)
            for change in changes { try await service.changeSettings(of: client, change, ofUser: user) }
        }
        let environment = ProcessInfo.processInfo.environment
        if changes.isEmpty, user == nil, !context.output.isJSON, !options.quiet, !options.noInput,
            SettingsScreen.isPossible(environment: environment),
            try await SettingsScreen(client: service, shown: client, environment: environment).run()
        {
            return
        }
        try await show(service, context.output)
    }

    /// A yes that is given here is one to what the client declares, so that is shown first.
    private func showNotices(of client: String, _ service: VoiceGateClient, _ output: Output) async throws {
        guard !allow.isEmpty, !output.isJSON else { return }
        for entry in try await service.settings(ofUser: user).entries
        where entry.client == client && allow.contains(entry.resource) {
            for line in (entry.notice ?? "").split(separator: "\n") {
                output.note(DisplayText.cleaned(String(line), limit: 400))
            }
        }
    }

    /// Empty where a program runs this command: it may see the settings, but not the records about others.
    private func records(of client: String, _ service: VoiceGateClient) async throws -> [AuditRecord] {
        do {
            var records: [AuditRecord] = []
            for try await record in try await service.auditRecords(limit: 40, client: client) { records.append(record) }
            return records
        } catch let error as ClientError where error.reply?.error.code == ErrorCode.notAllowed.rawValue {
            return []
        }
    }

    private func show(_ service: VoiceGateClient, _ output: Output) async throws {
        var reply = try await service.settings(ofUser: user)
        if let client { reply.entries.removeAll { $0.client != client } }
        if output.isJSON { return try output.json(reply) }
        for line in SettingsText.lines(reply) { try output.line(line) }
        if let client, changes.isEmpty, user == nil, !reply.entries.isEmpty {
            let records = try await records(of: client, service)
            for entry in reply.entries {
                let details = SettingsDetails(entry: entry, records: records)
                for line in ["", SettingsWords.resource(entry.resource)] + details.lines(columns: 100) {
                    try output.line(line)
                }
            }
        }
        if reply.muted { output.warn("Everything is muted. To end that: voicegate unmute") }
        for problem in reply.problems { output.warn(problem) }
        if reply.entries.isEmpty { output.note(Language.ofPerson.commandWording.nothingDecided) }
    }
}

/// The settings as a table, and below it what a person should know about its lines.
enum SettingsText {
    static func lines(_ reply: SettingsReply, timeZone: TimeZone = .current) -> [String] {
        guard !reply.entries.isEmpty else { return [] }
        let rows = reply.entries.map { entry in
            [
                entry.client, entry.resource.rawValue, SettingsWords.standing(entry),
                entry.decidedAt.map { DayAndTime.text($0, timeZone: timeZone) } ?? "-",
                entry.indication.map(SettingsWords.indication) ?? "-",
            ]
        }
        let notes = reply.entries.flatMap { entry in
            SettingsWords.notes(entry).map { "\(entry.client), \(entry.resource.rawValue): \($0)" }
        }
        return TextTable.lines([["CLIENT", "RESOURCE", "STATUS", "DECIDED", "HOW"]] + rows)
            + (notes.isEmpty ? [] : [""] + notes)
    }
}
