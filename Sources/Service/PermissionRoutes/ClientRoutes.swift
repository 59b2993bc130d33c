import Authorization
import Dispatch
import Hummingbird
import LinuxSystem
import Server
import SocketAPI

/// `/v1/clients`: installs manifests at the machine's own service, each user's for that user, and uninstalls clients. That
/// service reads no home folders, so that no fault of it can disclose what is in them.
struct ClientRoutes {
    static let most = 200
    /// Base64 is a third longer, and a request has other fields.
    private static let longest = Manifest.sizeLimit * 4 / 3 + 16_384
    /// Installing reads all of the user's manifests. One at a time, so that they stay within `most`.
    private static let queue = DispatchQueue(label: "voicegate.manifests")

    let mode: ServiceMode
    /// In enforced mode with a folder for each user in it.
    let folder: String
    let builtIn: [Manifest]
    let settings: ClientSettings
    let removeMonitors: @Sendable (ClientIdentifier, UInt32) async throws -> Void

    func add(to routes: Routes) {
        let refusal = "Only you can make a program a client: voicegate manifest install FILE"
        routes.on(
            .put, "clients/:client",
            for: .person(refusal, inBackground: .onlyInForeground("make a program a client")),
            confirming: { .install(try $0.clientParameter()) }, use: install
        )
        // Taking away alone is DELETE /v1/settings/{client}; this also removes what tells others what the client declared.
        routes.on(
            .delete, "clients/:client",
            for: .person(
                "Only you can uninstall a client: voicegate manifest remove CLIENT",
                inBackground: .onlyInForeground("uninstall a client")),
            confirming: { .uninstall(try $0.clientParameter()) }, use: remove)
    }

    private func install(_ call: Call) async throws -> Response {
        guard mode == .enforced else {
            throw RouteError(
                .notAllowed, "This service reads your own folder; voicegate manifest install puts the manifest there.")
        }
        let upload = try await call.request.json(ManifestUpload.self, limit: Self.longest)
        let identifier = try call.clientParameter()
        let file = try ManifestFile(upload)
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

    /// Uninstalls a client. Its permissions and monitors end first: without a manifest, no prompt could ask about them, and
    /// if it is installed again it starts from `notDetermined`.
    private func remove(_ call: Call) async throws -> Response {
        let identifier = try call.clientParameter()
        let place = try place(of: identifier, call)
        let gate = settings.gate
        var users: Set<UInt32> = [call.user]
        if case .system = place { users.formUnion(await gate.settledKeys(of: identifier).map(\.user)) }
        let isKnown = await !gate.settledKeys(of: identifier).filter { users.contains($0.user) }.isEmpty
        if case .nowhere = place, !isKnown {
            throw RouteError(.notFound, "There is no manifest of \(identifier). voicegate manifest show lists them.")
        }
        for user in users {
            try await removeMonitors(identifier, user)
            for resource in Resource.allCases {
                try await settings.reset(
                    DecisionKey(user: user, client: identifier, resource: resource), call.requester)
            }
        }
        if case .own(let path) = place {
            let installation = installation(call.user)
            _ = try await Self.queue.run { try installation.remove(path) }
        }
        return Response(status: .noContent)
    }

    /// Where the manifest of a client is that the caller may remove.
    private enum Place {
        case own(path: String)
        /// The caller is root, and removes the file itself.
        case system
        case nowhere
    }

    private func place(of identifier: ClientIdentifier, _ call: Call) throws -> Place {
        let registered = call.catalog.catalog.clients.first { $0.manifest.identifier == identifier }
        let own = installation(call.user)
        guard let registered else {
            return own.isInstalled(identifier) ? .own(path: own.folder(of: identifier) + "/Info.plist") : .nowhere
        }
        guard let path = registered.path else {
            throw RouteError(
                .notAllowed,
                "\(identifier) is VoiceGate itself. To withdraw its permissions: voicegate reset --client \(identifier)"
            )
        }
        if own.has(path) { return .own(path: path) }
        guard mode == .enforced, call.user == 0 else {
            throw RouteError(
                .notAllowed,
                "\(path) is for all users, and only root may remove it: sudo voicegate manifest remove \(identifier). To "
                    + "withdraw your own permissions: voicegate reset --client \(identifier)")
        }
        return .system
    }

    private func installation(_ user: UInt32) -> ManifestInstallation {
        ManifestInstallation(
            clients: mode == .enforced ? ServiceMode.clients(of: user, in: folder) : folder, staging: folder,
            builtIn: builtIn)
    }
}

extension ManifestFile {
    fileprivate init(_ upload: ManifestUpload) throws(RouteError) {
        let size = upload.translations.values.reduce(upload.manifest.count) { $0 + $1.count }
        guard size <= Manifest.sizeLimit, upload.translations.count <= 50 else {
            throw RouteError(.tooLarge, "A manifest has at most \(Manifest.sizeLimit) bytes with its translations.")
        }
        for language in upload.translations.keys {
            guard language.wholeMatch(of: /[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8}){0,3}|Base/) != nil else {
                throw RouteError(.invalidValue, "A translation is named by its language, such as ja or zh-Hans.")
            }
        }
        self.init(
            data: upload.manifest,
            translations: upload.translations.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
}
