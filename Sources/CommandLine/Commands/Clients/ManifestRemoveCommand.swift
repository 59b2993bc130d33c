import ArgumentParser
import Base
import CommandClient
import Foundation
import LinuxSystem
import SocketAPI

struct ManifestRemoveCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Uninstall a client: its permissions, its monitors and its manifest.",
        discussion: """
            What you decided about it is withdrawn, its sessions end, and what VoiceGate kept for it is erased. If it is \
            installed again, you are asked again. In a terminal, it lists this and asks first. A manifest for all users, in \(ClientDirectory.administratorFolder), is removed by \
            root.
            """)

    @Argument(
        help: .init("The program's bundle identifier.", valueName: "client"), completion: .clients,
        transform: ArgumentReader.client)
    var client: String

    @OptionGroup var erasure: ErasureOptions
    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let system = ClientDirectory(userFolder: nil).catalog().clients.first {
            $0.manifest.identifier.rawValue == client
        }
        // A package's file would be missed by the package manager.
        if let path = system?.path, !path.hasPrefix(ClientDirectory.administratorFolder + "/"), geteuid() == 0 {
            throw CommandError(
                .cannotWrite, "\(path) belongs to a package. Remove the package: dpkg --search \(path) names it.")
        }
        let service = try await context.client()
        let question = "Remove \(client)?"
        let planned = try await context.isAttended && !erasure.yes ? summary(context, service) : []
        guard try await context.agrees(toErase: planned, erasure, question: question) else { return }
        do {
            try await PasswordAgent.beside(service) { try await service.removeManifest(of: client) }
        } catch let error as ClientError where error.reply?.error.code == ErrorCode.notFound.rawValue {
            try await context.requireKnown(client, service)
            throw error
        }
        if let path = system?.path, geteuid() == 0 {
            let folder = ClientDirectory.administratorFolder
            _ = try ManifestInstallation(clients: folder, staging: folder).remove(path)
        }
        try context.output.result(
            ["client": client], note: ManifestWording.ofPerson.removed(client: client))
    }

    /// What is removed, as lines; empty if there is no such client.
    private func summary(_ context: CommandContext, _ service: ServiceClient) async throws -> [String] {
        let entries = try await service.settings().entries.filter { $0.client == client }
        guard let name = entries.first?.name else { return [] }
        let monitors = try await ifAllowed { try await service.monitors().monitors.count { $0.client == client } } ?? 0
        let decided = entries.map { "\($0.resource.phrase) (\(SettingsWords.status($0)))" }
        let kept = try await context.kept(of: client, service)
        return ["To be removed: \(DisplayText.cleaned(name, limit: 60)) (\(client))", "    its manifest"]
            + ["    your decisions: \(decided.joined(separator: ", "))"]
            + (monitors == 0 ? [] : ["    its monitors: \(monitors)"])
            + (kept.isEmpty ? [] : ["    what is kept for it: \(KeptSummary.count(kept))"])
    }
}
