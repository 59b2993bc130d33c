import ArgumentParser
import Authorization
import Base
import CommandClient
import Foundation
import LinuxSystem
import ManifestLint
import SocketAPI

struct ManifestNewCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Write a program's manifest and install it.",
        discussion: """
            PROGRAM is a program, or a script that begins with #! and its interpreter. What the prompt says about it is \
            taken from the options, or asked for at a terminal. The manifest is checked as by voicegate manifest lint. It \
            grants no permission: you are asked at the first use. To allow a script at the same time: voicegate allow
            Example:  voicegate manifest new ./note.sh --purpose 'Writes what you say into a note.'
            """)

    @Argument(help: .init("A program or script.", valueName: "program"), completion: .file())
    var program: String

    @OptionGroup var texts: ManifestTextOptions

    @Option(help: .init("Its bundle identifier. (default: local. and the file's name)", valueName: "id"))
    var id: String?

    @Option(
        name: [.short, .long], help: .init("Only write it to a file; - for standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "Do not ask; use the options and a general text.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try require(
            yes || context.isInteractive || texts.purpose != nil, .cannotAsk, status: .usage,
            "There is no terminal to ask for the texts. Supply --purpose TEXT, or --yes for a general text.")
        let registry = await ClientRegistry(context)
        var draft = try registry.draft(of: program, identifier: id, texts)
        if !yes, context.isInteractive, !texts.areGiven { try await ask(&draft, context.output) }
        let file = ManifestFile(data: try draft.propertyList, translations: [])
        try file.report(to: context.output)
        if let output {
            if output == "-" { return try context.output.line(String(decoding: file.data, as: UTF8.self)) }
            do {
                try file.data.write(to: URL(fileURLWithPath: output), options: .withoutOverwriting)
            } catch {
                throw CommandError.cannotWrite(output, error.localizedDescription)
            }
            return try context.output.result(
                WrittenManifest(client: draft.identifier.rawValue, path: output),
                note: ManifestWording.ofPerson.written(
                    path: output, command: "voicegate manifest install \(ShellWord.quoted(output))"
                ))
        }
        let installed = try await registry.install(file, as: draft.identifier)
        try installed.report(to: context.output, of: draft.script ?? draft.executable, resources: draft.use.resources)
    }

    private func ask(_ draft: inout ManifestDraft, _ output: Output) async throws {
        func value(_ question: ManifestText, _ standard: String) async throws -> String? {
            guard let text = try await output.answer(to: "\(ManifestWording.ofPerson(question)) [\(standard)]:") else {
                throw CommandError(.cannotAsk, "Nothing was written, because the input ended.")
            }
            return text.isEmpty ? nil : text
        }
        if let name = try await value(.nameQuestion, draft.name) { draft.name = name }
        draft.purpose = try await value(.purposeQuestion, draft.speechDescription)
        draft.retention = try await value(.retentionQuestion, ManifestWording.ofPerson(.keepsNothing))
        let names = try await value(.recipientsQuestion, ManifestWording.ofPerson(.nobody))
        draft.recipients = names?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
    }
}

/// The clients that the service of this user knows, and how a manifest gets there.
struct ClientRegistry {
    private let service: ServiceClient
    private let isEnforced: Bool
    /// Of manifests, if the user can write them.
    private let folder: String
    private let clients: [RegisteredClient]

    /// A service need not run.
    init(_ context: CommandContext) async {
        service = context.clientOfRunningService
        isEnforced = (try? await service.health().mode) == .enforced
        folder = (try? await service.diagnosis().clientsDirectory) ?? ServicePaths().configurationDirectory + "/clients"
        clients = ClientDirectory(userFolder: folder).catalog().clients
    }

    /// The manifest to be written for a program.
    func draft(
        of program: String, identifier: String?, _ texts: ManifestTextOptions
    ) throws -> ManifestDraft {
        try ManifestDraft(
            try planned(program), identifier: identifier, taken: Set(clients.map(\.manifest.identifier)),
            options: texts, language: Language(environment: ProcessInfo.processInfo.environment))
    }

    /// The client that a program is already.
    func client(of program: String) throws -> Manifest? {
        let caller = try planned(program).caller
        return clients.first { $0.manifest.matches(caller) }?.manifest
    }

    private func planned(_ program: String) throws -> PlannedProgram {
        let folder = FileManager.default.currentDirectoryPath
        // A file of this folder has precedence over a program of the same name elsewhere.
        let path = FileManager.default.fileExists(atPath: program) && !program.contains("/") ? "./" + program : program
        if path.contains("/"), let file = try? FileMetadata(path: path), file.isRegularFile, file.mode & 0o111 == 0 {
            throw CommandError(
                .noInput, "\(program) cannot be run. Make it executable: chmod +x \(ShellWord.quoted(program))")
        }
        return try PlannedProgram([path], searchPath: ProcessInfo.processInfo.environment["PATH"], folder: folder)
    }

    func install(_ file: ManifestFile, as identifier: ClientIdentifier) async throws -> WrittenManifest {
        if isEnforced {
            let upload = ManifestUpload(
                manifest: file.data,
                translations: Dictionary(
                    file.translations.map { ($0.language, $0.data) }, uniquingKeysWith: { first, _ in first }))
            try await PasswordAgent.beside(service) { try await service.install(upload, as: identifier.rawValue) }
            return WrittenManifest(client: identifier.rawValue, path: nil)
        }
        let installation = ManifestInstallation(
            clients: folder, staging: URL(fileURLWithPath: folder).deletingLastPathComponent().path)
        let folder = try installation.install(file, as: identifier)
        return WrittenManifest(client: identifier.rawValue, path: folder + "/Info.plist")
    }
}

/// What `--json` prints of a manifest that was written or installed.
struct WrittenManifest: Encodable {
    let client: String
    /// Absent: the machine's service has it.
    let path: String?

    /// - Parameters:
    ///   - program: what the manifest is of; `nil`: as it says.
    ///   - resources: what it can be allowed now.
    func report(to output: Output, of program: String? = nil, resources: [Resource]) throws {
        let allow = resources.map(\.rawValue).joined(separator: " --allow ")
        try output.result(
            self,
            note: ManifestWording.ofPerson.installed(at: path, for: program) + "\n"
                + ManifestWording.ofPerson.askedAtFirstUse(client: client, allow: allow))
    }
}

extension ManifestFile {
    /// Shows what the lint finds.
    ///
    /// - Throws: `reported` if that is an error.
    func report(to output: Output) throws {
        let findings = findings()
        for finding in findings { output.warn(finding.line(path: path(of: finding))) }
        guard !findings.contains(where: { $0.severity == .error }) else {
            output.warn(
                "Nothing was installed, because of these errors. Supply other texts: --purpose, --name, --retention")
            throw CommandError.reported(.badData)
        }
    }
}
