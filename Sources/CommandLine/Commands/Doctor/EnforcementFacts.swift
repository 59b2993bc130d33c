/// What enforcement rests on: the service's own user and group, the devices, and what the package puts into place.
struct EnforcementFacts: Sendable {
    /// Of the service's group; `nil`: there is no such group.
    struct ServiceGroup: Sendable, Hashable {
        let identifier: UInt32
        /// Users in it besides the service's own, by name, sorted.
        let members: [String]
    }

    var group: ServiceGroup?
    var nodes: [CaptureNode]
    var hasUdevRule: Bool
    var hasPolkitAction: Bool
    var hasPkcheck: Bool
    /// Whether root alone can put a socket where programs look for the machine's own service.
    var socketFolder: FolderFact
    var socketOwner: UInt32?
    /// Whether the socket's unit is started with the machine; `nil`: there is no systemd.
    var isSocketEnabled: Bool?
}
