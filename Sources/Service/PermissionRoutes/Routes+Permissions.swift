import Authorization
import Prompting
import Retention
import Server
import Speech

extension Routes {
    /// The routes by which clients ask and the user decides: authorization, mutes, prompts, settings, clients and users.
    ///
    /// - Parameters:
    ///   - folder: the user's clients folder; in enforced mode the folder of those of all users.
    ///   - builtIn: manifests of VoiceGate's own programs.
    ///   - removeMonitors: those of a client of a user; what is removed stays so if it throws.
    package func addPermissions(
        gate: Gate, prompts: PromptBoard, problems: ProblemBoard, recognizer: any Recognizer, items: ItemStore,
        clientsIn folder: String, builtIn: [Manifest],
        removingMonitors removeMonitors: @escaping @Sendable (ClientIdentifier, UInt32) async throws -> Void
    ) {
        AuthorizationRoutes(gate: gate, problems: problems, recognizer: recognizer).add(to: self)
        MuteRoutes(gate: gate, mode: mode).add(to: self)
        PromptRoutes(board: prompts, confirmation: mode.confirmation).add(to: self)
        let settings = ClientSettings(clients: clients, gate: gate, items: items)
        let overview = SettingsOverview(clients: clients, gate: gate, problems: problems)
        SettingsRoutes(settings: settings, overview: overview, mode: mode).add(to: self)
        ClientRoutes(
            mode: mode, folder: folder, builtIn: builtIn, settings: settings, removeMonitors: removeMonitors
        ).add(to: self)
        UserRoutes(register: clients.users).add(to: self)
    }
}
