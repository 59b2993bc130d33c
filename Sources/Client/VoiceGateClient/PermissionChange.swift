import Authorization
import SocketAPI

/// What `AuthorizationManager.changes` tells.
public enum PermissionChange: Sendable, Hashable {
    /// How things stand: first, and after each gap.
    case state([Resource: ResourceState])
    /// How things stood right after one change: the resource that it was about, or both.
    case changed([Resource: ResourceState])
    /// Changes before this are not known; `state` follows.
    case gap
    /// The service cannot be reached; it is tried again. Told once until it is there again.
    case unreachable(ClientError)
}
