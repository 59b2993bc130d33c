import ArgumentParser
import Authorization
import Base
import CommandText
import Consent
import Foundation
import LinuxSystem
import SocketAPI
import struct Prompting.DisplayedNotice

struct ManifestShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the prompts of a client.",
        discussion: """
            Without an argument it lists the installed manifests, and the problems of those that cannot be used.
            """)

    @Argument(
        help: .init("An Info.plist, its folder, or a client's identifier.", valueName: "client|file"),
        completion: .file())
    var subject: String?

    @Option(help: .init("en, ja or ko. (default: your locale)", valueName: "code"))
    var language: Language = Language(environment: ProcessInfo.processInfo.environment)

    @OptionGroup var paging: PagingOptions
    @OptionGroup var outputOptions: OutputOptions

    func run() async throws {
        let output = outputOptions.output(pagedBy: paging.pager(outputOptions))
        try await output.reportingErrors {
            guard let subject else { return try list(output) }
            let manifest = try Self.manifest(subject)
            let client = Client(manifest: manifest)
            let notices = Resource.allCases.compactMap { resource in
                Notice(client: client, resource: resource, language: language).map { (resource, $0) }
            }
            if output.isJSON {
                return try output.json([
                    "client": .string(manifest.identifier.rawValue),
                    "name": .string(manifest.localized(in: language).name),
                    "language": .string(language.rawValue),
                    "notices": JSONValue.array(notices.map { Self.json($0, $1) }),
                ])
            }
            try output.line(
                "\(DisplayText.cleaned(client.displayName(in: language), limit: 60)) (\(manifest.identifier))")
            for (_, notice) in notices {
                try output.line("")
                try output.lines(DisplayedNotice(notice).lines(width: output.width))
            }
            for resource in Resource.allCases where manifest.usageDescriptions[resource] == nil {
                output.note("It cannot request \(resource.phrase): \(resource.usageDescriptionKey) is missing.")
            }
        }
    }

    private func list(_ output: Output) throws {
        let catalog = Self.directory.catalog()
        let clients = catalog.clients.map {
            (id: $0.manifest.identifier.rawValue, name: $0.manifest.localized(in: language).name, path: $0.path)
        }
        if output.isJSON {
            for client in clients {
                let members = ["client": client.id, "name": client.name, "path": client.path]
                try output.json(members.compactMapValues { $0 })
            }
        } else {
            let rows = clients.map { [$0.id, DisplayText.cleaned($0.name, limit: 60), $0.path ?? "-"] }
            try output.lines(TextTable.lines(rows))
        }
        for (path, problem) in catalog.problems.sorted(by: { $0.key < $1.key }) { output.warn("\(path): \(problem)") }
        if clients.isEmpty { output.note("No manifest is installed. To install one: voicegate manifest install FILE") }
    }

    /// The manifests that this user's service reads.
    static var directory: ClientDirectory {
        ClientDirectory(userFolder: ServicePaths().configurationDirectory + "/clients")
    }

    private static func manifest(_ subject: String) throws -> Manifest {
        if let client = directory.catalog().clients.first(where: { $0.manifest.identifier.rawValue == subject }) {
            return client.manifest
        }
        try require(
            subject.contains("/") || FileManager.default.fileExists(atPath: subject), .noInput,
            "There is no installed manifest and no file \(subject). To list the installed manifests: "
                + "voicegate manifest show")
        return try ManifestFile(argument: subject).manifest()
    }

    private static func json(_ resource: Resource, _ notice: Notice) -> JSONValue {
        .object([
            "resource": .string(resource.rawValue), "title": .string(notice.title),
            "usageDescription": .string(notice.usageDescription),
            "items": .array(notice.items.map { .object(["name": .string($0.name), "text": .string($0.text)]) }),
        ])
    }
}
