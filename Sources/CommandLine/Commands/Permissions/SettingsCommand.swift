import ArgumentParser
import Authorization
import Base
import CommandClient
import CommandText
import Consent
import Foundation
import SocketAPI
import Speech

import enum Prompting.OutsideText

struct SettingsCommand: ConnectedCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Show and change your decisions for each program.",
        discussion: """
            In a terminal it lists all settings with numbers, and asks which to change. Otherwise they are printed; for a \
            single program with the details of each decision. With options it changes the settings and \
            prints the result. A change applies at once, also to a program that is listening. What VoiceGate kept with a \
            permission that you withdraw is erased. RESOURCE is \
            speechRecognition or microphone.
            """)

    @Argument(
        help: .init("The same as --client.", valueName: "client"), completion: .clients,
        transform: ArgumentReader.client)
    var program: String?

    @Option(
        help: .init("The program's bundle identifier, such as io.voicegate.cli. (default: all)", valueName: "id"),
        completion: .clients, transform: ArgumentReader.client)
    var client: String?

    @Option(help: .init("Allow it.", valueName: "resource"))
    var allow: [Resource] = []

    @Option(help: .init("Deny it.", valueName: "resource"))
    var deny: [Resource] = []

    @Option(help: .init("Ask again at the next use.", valueName: "resource"))
    var ask: [Resource] = []

    @Option(
        help: .init(
            "With --allow: whileInUse, or always if it is allowed already. (default: unchanged, else whileInUse)",
            valueName: "scope"))
    var scope: Scope?

    @Option(
        help: .init(
            "With --allow speechRecognition: full, or reduced to the phrases that the program declares. "
                + "(default: unchanged)", valueName: "fidelity"))
    var fidelity: Fidelity?

    @Option(
        help: .init(
            "Another user, by name or number; for root, with the machine's service. The record names the "
                + "administrator, and the user can see it.", valueName: "user"),
        transform: ArgumentReader.user)
    var user: UInt32?

    @OptionGroup var options: GlobalOptions

    private var target: String? { client ?? program }

    private var changes: [SettingsChange] {
        allow.map {
            SettingsChange(
                resource: $0, choice: .allow, scope: scope, fidelity: $0 == .speechRecognition ? fidelity : nil)
        }
            + deny.map { SettingsChange(resource: $0, choice: .deny) }
            + ask.map { SettingsChange(resource: $0, choice: .ask) }
    }

    func validate() throws {
        if client != nil, program != nil { throw ValidationError("--client names the program already.") }
        try refuse(
            if: target == nil && !changes.isEmpty, "A client is required: voicegate settings CLIENT --allow RESOURCE")
        if Set(changes.map(\.resource)).count < changes.count {
            throw ValidationError("--allow, --deny and --ask exclude each other for one resource.")
        }
        if scope != nil, allow.isEmpty { throw ValidationError("--scope requires --allow RESOURCE.") }
        try refuse(if: scope == .once, "once is only an answer to a prompt. To be asked again: --ask RESOURCE")
        if fidelity != nil, !allow.contains(.speechRecognition) {
            throw ValidationError("--fidelity requires --allow speechRecognition.")
        }
    }

    func run(_ context: CommandContext, _ service: ServiceClient) async throws {
        if let target {
            let shown = try await showNotices(of: target, service, context.output)
            let isWithdrawing = user == nil && changes.contains { $0.choice != .allow }
            let before = isWithdrawing ? (try? await context.kept(of: target, service)) ?? [] : []
            for var change in changes {
                if change.choice == .allow, let entry = shown[change.resource] {
                    change = SettingsChange(allowing: entry, scope: change.scope, fidelity: change.fidelity)
                }
                do {
                    try await PasswordAgent.beside(service) {
                        try await service.changeSettings(of: target, change, ofUser: user)
                    }
                } catch let error as ClientError {
                    guard var reply = error.reply, reply.error.code == ErrorCode.notFound.rawValue else { throw error }
                    let known = try await service.settings(ofUser: user).entries.map(\.client)
                    reply.error.message += Suggestion.question(target, in: known)
                    throw reply
                }
            }
            if !before.isEmpty {
                let after = Set(try await context.kept(of: target, service).map(\.item))
                let erased = before.filter { !after.contains($0.item) }
                if !erased.isEmpty { context.output.note("Erased with the permission: \(KeptSummary.count(erased)).") }
            }
        }
        if changes.isEmpty, user == nil { try await context.requireKnown(target, service) }
        if changes.isEmpty, user == nil, !context.output.isJSON, !options.outputOptions.quiet, context.isInteractive,
            isatty(STDOUT_FILENO) == 1,
            try await SettingsMenu(service: service, output: context.output, shown: target).run()
        {
            return
        }
        try await show(service, context.output)
    }

    /// A grant covers what the client declares, so that is shown first.
    ///
    /// - Returns: what was shown.
    private func showNotices(
        of client: String, _ service: ServiceClient, _ output: Output
    ) async throws -> [Resource: SettingsEntry] {
        guard !allow.isEmpty else { return [:] }
        var shown: [Resource: SettingsEntry] = [:]
        for entry in try await service.settings(ofUser: user).entries
        where entry.client == client && allow.contains(entry.resource) {
            shown[entry.resource] = entry
            if output.isJSON { continue }
            for line in OutsideText.lines(entry.notice ?? "", width: output.width) { output.note(line) }
        }
        return shown
    }

    private func show(_ service: ServiceClient, _ output: Output) async throws {
        var reply = try await service.settings(ofUser: user)
        let known = reply.entries.map(\.client)
        if let target { reply.entries.removeAll { $0.client != target } }
        if output.isJSON { return try output.json(reply) }
        try output.lines(Self.lines(reply))
        if let target, changes.isEmpty, user == nil, !reply.entries.isEmpty {
            // A program that runs this command can read the settings, but not the records of other programs.
            let records = try await ifAllowed { try await service.records(of: target) } ?? []
            for entry in reply.entries {
                let details = SettingsDetails(entry: entry, records: records)
                try output.lines(["", SettingsWords.resource(entry.resource)] + details.lines(columns: 100))
            }
        }
        if reply.muted { output.warn(Language.ofPerson.commandWording.everythingMuted(reply.mutedBy)) }
        for problem in reply.problems { output.warn(problem) }
        if reply.entries.isEmpty {
            let suggestion = target.map { Suggestion.question($0, in: known) } ?? ""
            output.note(Language.ofPerson.commandWording(.nothingDecided) + suggestion)
        }
    }

    /// A table, and below it the notes about its rows.
    private static func lines(_ reply: SettingsReply) -> [String] {
        guard !reply.entries.isEmpty else { return [] }
        let rows = reply.entries.map { entry in
            [
                entry.client, entry.resource.rawValue, SettingsWords.status(entry),
                entry.decidedAt.map { DayAndTime.text($0) } ?? "-",
                entry.indication.map(\.words) ?? "-",
            ]
        }
        let notes = reply.entries.flatMap { entry in
            SettingsWords.notes(entry).map { "\(entry.client), \(entry.resource.rawValue): \($0)" }
        }
        return TextTable.lines([["CLIENT", "RESOURCE", "STATUS", "DECIDED", "HOW"]] + rows)
            + (notes.isEmpty ? [] : [""] + notes)
    }
}

extension ServiceClient {
    /// The newest records of a client, oldest first.
    func records(of client: String) async throws -> [ConsentRecord] {
        try await auditRecords(matching: AuditFilter(limit: 40, client: ClientIdentifier(rawValue: client))).all()
    }
}
