import Foundation
import VoiceGateWire

extension AuthorizationStatus {
    public init(from decoder: any Decoder) throws {
        self = AuthorizationStatus(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .denied
    }
}

/// This program's permissions.
public struct Permissions: Sendable, Hashable, Decodable {
    /// The program's bundle identifier, as the service found it.
    public var client: String
    /// The program's name, as prompts show it.
    public var name: String
    /// Of each resource.
    public var states: [Resource: ResourceState]
    /// Whether everything is muted; every status is `restricted` then.
    public var isMuted: Bool
    /// Manifests and policy files that could not be used, each with the reason.
    public var problems: [String]

    /// Permissions as a test's service reports them.
    ///
    /// - Parameters:
    ///   - client: the program's bundle identifier.
    ///   - name: the program's name.
    ///   - states: of each resource; a missing one is `notDetermined`.
    ///   - isMuted: whether everything is muted.
    ///   - problems: for people.
    public init(
        client: String, name: String, states: [Resource: ResourceState], isMuted: Bool = false, problems: [String] = []
    ) {
        (self.client, self.name, self.states, self.isMuted, self.problems) = (client, name, states, isMuted, problems)
    }

    /// The status of a resource.
    ///
    /// - Parameter resource: the resource.
    public func status(of resource: Resource) -> AuthorizationStatus { states[resource]?.status ?? .notDetermined }

    private enum CodingKeys: String, CodingKey {
        case client, name, speechRecognition, microphone, muted, speechRecognitionGrant, microphoneGrant, problems
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func grant(_ key: CodingKeys) throws -> ResourceState.Grant? {
            try fields.decodeIfPresent(ResourceState.Grant.self, forKey: key)
        }
        self.init(
            client: try fields[.client], name: try fields[.name],
            states: [
                .speechRecognition: ResourceState(
                    status: try fields[.speechRecognition], grant: try grant(.speechRecognitionGrant)),
                .microphone: ResourceState(status: try fields[.microphone], grant: try grant(.microphoneGrant)),
            ],
            isMuted: try fields.decodeIfPresent(Bool.self, forKey: .muted) ?? false,
            problems: try fields.decodeIfPresent([String].self, forKey: .problems) ?? [])
    }
}

/// An event of the stream of this program's permissions. Every change is sent, in order, also one that was undone since.
public enum PermissionEvent: Sendable, Hashable, Decodable {
    /// The present state: the first event, and the one after a gap.
    case state(Permissions, cursor: String)
    /// The first event instead, if the changes continue without a gap after the cursor of the request.
    case resumed(cursor: String)
    /// The state right after one change, of the resources that changed.
    case changed([Resource: ResourceState], isMuted: Bool, cursor: String)
    /// Changes before this are lost; `state` follows.
    case gap

    private enum CodingKeys: String, CodingKey {
        case type, cursor, authorization, changed, muted
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self =
            switch try fields[.type] as String {
            case "state": .state(try fields[.authorization], cursor: try fields[.cursor])
            case "resumed": .resumed(cursor: try fields[.cursor])
            case "changed":
                .changed(.init(named: try fields[.changed]), isMuted: try fields[.muted], cursor: try fields[.cursor])
            case "gap": .gap
            default: throw UnknownEvent()
            }
    }
}

extension Dictionary where Key == Resource {
    /// An object's fields; those that are not a resource of this version are left out.
    init(named fields: [String: Value]) {
        self.init(
            uniqueKeysWithValues: fields.compactMap { name, value in Resource(rawValue: name).map { ($0, value) } })
    }
}
