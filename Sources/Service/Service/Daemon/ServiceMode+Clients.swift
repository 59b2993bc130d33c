import Authorization
import LinuxSystem

extension ServiceMode {
    /// - Parameters:
    ///   - folder: the user's clients folder; in enforced mode the folder of those of all users.
    ///   - builtIn: manifests of VoiceGate's own programs.
    func catalogs(in folder: String, builtIn: [Manifest]) -> ClientCatalogs {
        switch self {
        case .advisory:
            ClientCatalogs(ClientDirectory(userFolder: folder, builtIn: builtIn))
        case .enforced:
            ClientCatalogs { user in
                ClientDirectory(userFolder: Self.clients(of: user, in: folder), builtIn: builtIn)
            }
        }
    }

    /// Where the machine's own service keeps the manifests that a user has installed.
    static func clients(of user: UInt32, in folder: String) -> String { "\(folder)/\(user)" }
}
