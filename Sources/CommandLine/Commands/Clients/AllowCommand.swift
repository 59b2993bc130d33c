import ArgumentParser
import Authorization
import Base
import CommandClient
import Foundation
import LinuxSystem
import SocketAPI

import enum Prompting.OutsideText

struct AllowCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Allow your own script for good.",
        discussion: """
            Writes a manifest for the script unless it has one (voicegate manifest new), shows what you allow, asks, and \
            allows it while it is in use. The permission is for the script's contents when you are asked, whose SHA-256 is \
            shown: if they change before you answer, nothing is allowed, and after a later change you are asked again, with the \
            number of bytes that it grew by. It is also valid if another program runs the script, such as make or xargs; with \
            --background it is always allowed, also where nobody uses it, such as by cron.
            To remove it: voicegate manifest remove CLIENT
            Example:  voicegate allow ./note.sh --purpose 'Writes what you say into a note.'
            """)

    @Argument(help: .init("A script or program.", valueName: "script"), completion: .file())
    var script: String

    @OptionGroup var texts: ManifestTextOptions

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let output = context.output
        try require(
            yes || context.isInteractive, .cannotAsk, status: .usage,
            "There is no terminal to confirm at. To allow it without a question: --yes")
        let service = try await context.client()
        // Refused to a program that runs this, before anything is installed.
        let known = Set(try await service.settings().entries.map(\.client))
        let registry = await ClientRegistry(context)
        // From here on there may be a change to undo.
        let signals = SignalWatch()
        let (client, isNew) = try await registered(registry, known, output)
        let entries = try await service.settings().entries.filter {
            $0.client == client.identifier.rawValue && client.resources.contains($0.resource)
        }
        try require(
            !entries.isEmpty, .badManifest,
            "The service does not use the manifest of \(client.identifier). See: voicegate doctor")
        for entry in entries where !output.isJSON {
            for line in OutsideText.lines(entry.notice ?? "", width: output.width) { output.note(line) }
        }
        if let digest = entries[0].programSHA256 { output.note("SHA-256 of \(script): \(digest)") }
        if let before = entries[0].program, let now = entries[0].presentProgram, entries[0].isChanged == true {
            let bytes = before.size.flatMap { size in now.size.map { $0 - size } }
            output.note(ManifestWording.ofPerson.changed(bytes: bytes))
        }
        let question = ManifestWording.ofPerson.allowQuestion(script: script, resources: client.resources)
        if !yes, try await !agrees(question, output, signals) {
            // Nothing of a refusal should remain.
            if isNew { try await service.removeManifest(of: client.identifier.rawValue) }
            try signals.check()
            return output.note(ManifestWording.ofPerson(.nothingAllowed))
        }
        do {
            try await signals.cancelling {
                try await PasswordAgent.beside(service) {
                    // Always follows “while using”.
                    for (entry, scope) in entries.flatMap({ entry in scopes.map { (entry, $0) } }) {
                        try await service.changeSettings(
                            of: client.identifier.rawValue, SettingsChange(allowing: entry, scope: scope))
                    }
                }
            }
        } catch {
            if isNew { try? await service.removeManifest(of: client.identifier.rawValue) }
            throw error
        }
        try output.result(
            ["client": client.identifier.rawValue],
            note: ManifestWording.ofPerson.allowed(
                extent: ManifestWording.ofPerson(texts.background ? .allowedAlways : .allowedWhileUsing),
                script: script,
                client: client.identifier.rawValue))
    }

    private var scopes: [Scope] { texts.background ? [.whileInUse, .always] : [.whileInUse] }

    /// Asks; Ctrl-C counts as a denial.
    private func agrees(_ question: String, _ output: Output, _ signals: SignalWatch) async throws -> Bool {
        // The reading of the terminal cannot be cancelled; it ends with this program.
        let answers = AsyncStream<Bool> { answers in
            signals.handle { _ in answers.finish() }
            Task {
                answers.yield((try? await output.confirms(question)) ?? false)
                answers.finish()
            }
        }
        return await answers.first { _ in true } ?? false
    }

    /// The script as a client, with a new manifest if it has none.
    private func registered(
        _ registry: ClientRegistry, _ known: Set<String>, _ output: Output
    ) async throws -> (client: (identifier: ClientIdentifier, resources: [Resource]), isNew: Bool) {
        if let manifest = try registry.client(of: script) {
            try require(
                !texts.background || manifest.declaresBackground, .badManifest,
                "The manifest of \(manifest.identifier) declares no use in the background. Remove it first: "
                    + "voicegate manifest remove \(manifest.identifier)")
            let resources = Resource.allCases.filter { manifest.usageDescriptions[$0] != nil }
            return ((manifest.identifier, resources), false)
        }
        let draft = try registry.draft(of: script, identifier: nil, texts)
        // The machine's service has manifests that this command cannot read.
        try require(
            !known.contains(draft.identifier.rawValue), .badManifest,
            "\(draft.identifier) is another program's identifier. To choose one: "
                + "voicegate manifest new \(ShellWord.quoted(script)) --id IDENTIFIER")
        let file = ManifestFile(data: try draft.propertyList, translations: [])
        try file.report(to: output)
        _ = try await registry.install(file, as: draft.identifier)
        return ((draft.identifier, draft.use.resources), true)
    }
}
