import ArgumentParser
import CommandClient
import Foundation
import LinuxSystem
import SocketAPI

struct ManifestRemoveCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Uninstall a client: its permissions, its monitors and its manifest.",
        discussion: """
            What you decided about it is withdrawn, its sessions end, and what VoiceGate kept for it is erased. If it is \
            installed again, you are asked again. A manifest for all users, in \(ClientDirectory.administratorFolder), is removed by \
            root.
            """)

    @Argument(
        help: .init("The program's bundle identifier.", valueName: "client"), transform: ArgumentReader.client)
    var client: String

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
        try await context.client().removeManifest(of: client)
        if let path = system?.path, geteuid() == 0 {
            let folder = ClientDirectory.administratorFolder
            _ = try ManifestInstallation(clients: folder, staging: folder).remove(path)
        }
        context.output.note("Removed. If \(client) is installed again, you are asked again.")
    }
}
