import Authorization
import Dispatch
import Hummingbird
import LinuxSystem
import SocketAPI

/// `/v1/clients`: installs and removes manifests at the machine's own service, each user's for that user. The service reads no
/// home folders, so that no fault of it can disclose what is in them.
struct ClientRoutes {
    static let most = 200
    /// Base64 is a third longer, and a request has other fields.
    private static let longest = Manifest.sizeLimit * 4 / 3 + 16_384
    /// Installing reads all of the user's manifests. One at a time, so that they stay within `most`.
    private static let queue = DispatchQueue(label: "voicegate.manifests")

    let mode: ServiceMode
    /// With a folder for each user in it.
    let folder: String
    let builtIn: [Manifest]

    func add(to routes: Routes) {
        let refusal = "Only you can make a program a client: voicegate manifest install FILE"
        routes.on(
            .put, "clients/:client",
            for: .person(refusal, inBackground: .onlyInForeground("make a program a client")), use: install)
        routes.on(.delete, "clients/:client", for: .person(refusal), use: remove)
    }

    private func install(_ call: Call) async throws -> Response {
        try checkMode()
        let upload = try await call.request.json(ManifestUpload.self, limit: Self.longest)
        let identifier = try call.clientParameter()
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
        let installation = installation(call.user)
        try await Self.queue.run {
            let manifest = try file.manifest()
            guard manifest.identifier == identifier else {
                throw RouteError(
                    .invalidValue, "The manifest is that of \(manifest.identifier), not of \(identifier).")
            }
            guard installation.count < Self.most || installation.isInstalled(identifier) else {
                throw RouteError(.tooLarge, "You have \(Self.most) manifests installed. Remove one first.")
            }
            _ = try installation.install(file, as: identifier)
        }
        return Response(status: .noContent)
    }

    private func remove(_ call: Call) async throws -> Response {
        try checkMode()
        let identifier = try call.clientParameter()
        let installation = installation(call.user)
        guard try await Self.queue.run({ try installation.remove(identifier) }) else {
            throw RouteError(.notFound, "You have installed no manifest of \(identifier).")
        }
        return Response(status: .noContent)
    }

    private func installation(_ user: UInt32) -> ManifestInstallation {
        ManifestInstallation(clients: ServiceMode.clients(of: user, in: folder), staging: folder, builtIn: builtIn)
    }

    private func checkMode() throws(RouteError) {
        guard mode == .enforced else {
            throw RouteError(
                .notAllowed, "This service reads your own folder; voicegate manifest install puts the manifest there.")
        }
    }
}
