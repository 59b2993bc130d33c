import Authorization
import Foundation
import Hummingbird
import LinuxSystem
import SocketAPI

/// `/v1/clients`: the manifests that users of the machine's own service have installed, each for themselves. It reads no
/// home folders: what it may read there, a fault of it could be made to tell.
struct ClientRoutes {
    /// Manifests that a user may have.
    static let most = 200
    /// Base64 is a third longer, and a request has a frame.
    private static let longest = Manifest.sizeLimit * 4 / 3 + 16_384

    let clients: ClientResolver
    let mode: ServiceMode
    /// With a folder for each user in it.
    let folder: String
    let builtIn: [Manifest]

    func add(to group: RouterGroup<ServiceContext>) {
        group.put("clients/:client", use: install)
        group.delete("clients/:client", use: remove)
    }

    private func install(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let user = try await person(context)
        let upload = try await request.json(ManifestUpload.self, limit: Self.longest)
        let identifier = try identifier(context)
        let size = upload.translations.values.reduce(upload.manifest.count) { $0 + $1.count }
        guard size <= Manifest.sizeLimit, upload.translations.count <= 50 else {
            throw RouteError(.tooLarge, "A manifest has at most \(Manifest.sizeLimit) bytes with its translations.")
        }
        for language in upload.translations.keys {
            guard language.wholeMatch(of: /[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8}){0,3}|Base/) != nil else {
                throw RouteError(.invalidValue, "A translation is named by its language, such as ja or zh-Hans.")
            }
        }
        let file = ManifestFile(
            data: upload.manifest,
            translations: upload.translations.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        do {
            let manifest = try file.manifest()
            guard manifest.identifier == identifier else {
                throw RouteError(.invalidValue, "The manifest is that of \(manifest.identifier), not of \(identifier).")
            }
            let installation = installation(user)
            guard installation.count < Self.most || installation.holds(identifier) else {
                throw RouteError(.tooLarge, "You have \(Self.most) manifests installed. Remove one first.")
            }
            _ = try installation.install(file, as: identifier)
        } catch let error as ManifestError {
            throw RouteError(.invalidValue, "\(error)")
        } catch let error as ManifestInstallationError {
            throw Self.translated(error)
        }
        return Response(status: .noContent)
    }

    private func remove(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let user = try await person(context)
        let identifier = try identifier(context)
        do {
            guard try installation(user).remove(identifier) else {
                throw RouteError(.notFound, "You have installed no manifest of \(identifier).")
            }
        } catch let error as ManifestInstallationError {
            throw Self.translated(error)
        }
        return Response(status: .noContent)
    }

    private func installation(_ user: UInt32) -> ManifestInstallation {
        ManifestInstallation(clients: ServiceMode.clients(of: user, in: folder), staging: folder, builtIn: builtIn)
    }

    private static func translated(_ error: ManifestInstallationError) -> RouteError {
        switch error.code {
        case .taken: RouteError(.invalidValue, error.message)
        case .failed: RouteError(.storageUnavailable, error.message)
        }
    }

    private func person(_ context: ServiceContext) async throws -> UInt32 {
        let (_, requester) = try await clients.requester(of: context)
        guard clients.isPerson(requester) else {
            throw RouteError(
                .notAllowed, "A program is made a client by the person alone: voicegate manifest install FILE")
        }
        guard mode == .enforced else {
            throw RouteError(
                .notAllowed, "This service reads your own folder; voicegate manifest install puts the manifest there.")
        }
        return requester.caller.user
    }

    private func identifier(_ context: ServiceContext) throws -> ClientIdentifier {
        guard let identifier = ClientIdentifier(rawValue: try context.parameters.require("client")) else {
            throw RouteError(.invalidValue, "A client is named by its bundle identifier, such as org.example.Editor.")
        }
        return identifier
    }
}
