import Authorization

/// How the caller stands with one resource.
public struct ResourceState: Sendable, Hashable, Codable {
    public var status: AuthorizationStatus
    /// What a yes allows.
    public var grant: AuthorizationReply.Grant?

    public init(status: AuthorizationStatus, grant: AuthorizationReply.Grant? = nil) {
        self.status = status
        self.grant = grant
    }

    public init(_ standing: Standing, _ resource: Resource) {
        self.init(status: standing.status, grant: standing.grant(of: resource))
    }

    public static func states(_ standings: [Resource: Standing]) -> [Resource: ResourceState] {
        Dictionary(uniqueKeysWithValues: standings.map { ($0.key, ResourceState($0.value, $0.key)) })
    }
}
