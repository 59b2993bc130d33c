import Authorization

/// Each line of `GET /v1/authorization/changes`, with `after=CURSOR` for what came after an earlier line.
///
/// ```
/// {"authorization":{…},"cursor":"LIFE:4","resources":{"microphone":{"status":"notDetermined"},…},"type":"state"}
/// {"changed":{"microphone":{"grant":{"isProvisional":false,"scope":"whileInUse"},"status":"authorized"}},"cursor":"LIFE:5",
///  "muted":false,"type":"changed"}
/// {"cursor":"LIFE:5","type":"resumed"}
/// {"type":"gap"}
/// ```
///
/// Every change is told, in order, also one that was undone since; where that cannot be, `gap` says so and `state` follows.
public enum AuthorizationEvent: Sendable, Hashable, Codable {
    /// How things stand: the first line, and the one after a gap.
    case state(cursor: String, AuthorizationReply, resources: [Resource: ResourceState])
    /// The first line instead, where the changes go on without a gap after the cursor of the request.
    case resumed(cursor: String)
    /// How things stood right after one change: the resource that it was about; both for a policy and for the mute.
    case changed(cursor: String, muted: Bool, resources: [Resource: ResourceState])
    /// Changes before this cannot be told: the service was restarted, or the reader was too far behind.
    case gap

    private enum Kind: String, Codable {
        case state, resumed, changed, gap
    }

    private enum CodingKeys: String, CodingKey {
        case type, cursor, authorization, resources, changed, muted
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let cursor = { try container.decode(String.self, forKey: .cursor) }
        switch try container.decode(Kind.self, forKey: .type) {
        case .state:
            self = .state(
                cursor: try cursor(), try container.decode(AuthorizationReply.self, forKey: .authorization),
                resources: try Self.resources(container, .resources))
        case .resumed:
            self = .resumed(cursor: try cursor())
        case .changed:
            self = .changed(
                cursor: try cursor(), muted: try container.decode(Bool.self, forKey: .muted),
                resources: try Self.resources(container, .changed))
        case .gap:
            self = .gap
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .state(let cursor, let reply, let resources):
            try container.encode(Kind.state, forKey: .type)
            try container.encode(cursor, forKey: .cursor)
            try container.encode(reply, forKey: .authorization)
            try container.encode(Self.named(resources), forKey: .resources)
        case .resumed(let cursor):
            try container.encode(Kind.resumed, forKey: .type)
            try container.encode(cursor, forKey: .cursor)
        case .changed(let cursor, let muted, let resources):
            try container.encode(Kind.changed, forKey: .type)
            try container.encode(cursor, forKey: .cursor)
            try container.encode(muted, forKey: .muted)
            try container.encode(Self.named(resources), forKey: .changed)
        case .gap:
            try container.encode(Kind.gap, forKey: .type)
        }
    }

    private static func named(_ resources: [Resource: ResourceState]) -> [String: ResourceState] {
        Dictionary(uniqueKeysWithValues: resources.map { ($0.key.rawValue, $0.value) })
    }

    /// A resource that this version does not know is left out.
    private static func resources(
        _ container: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys
    ) throws -> [Resource: ResourceState] {
        let named = try container.decode([String: ResourceState].self, forKey: key)
        return Dictionary(
            uniqueKeysWithValues: named.compactMap { name, state in Resource(rawValue: name).map { ($0, state) } })
    }
}
