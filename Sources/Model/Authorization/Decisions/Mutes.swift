import Base

/// Whose listening a mute ends.
public enum MuteScope: Sendable, Hashable {
    case user(UInt32)
    case everyone

    /// As the socket API and the records name it.
    public enum Kind: String, Sendable, Codable, Hashable, CaseIterable {
        case user, everyone

        /// The command that ends such a mute.
        public var unmuteCommand: String {
            self == .everyone ? "voicegate unmute --everyone" : "voicegate unmute"
        }
    }

    public init(_ kind: Kind, by user: UInt32) { self = kind == .user ? .user(user) : .everyone }

    public var kind: Kind { self == .everyone ? .everyone : .user }

    func covers(_ user: UInt32) -> Bool { self == .everyone || self == .user(user) }
}

/// A mute in force.
public struct Mute: Sendable, Hashable {
    public let scope: MuteScope
    /// Who muted; `nil`: not known, because the ledger could not be read.
    public let user: UInt32?
    /// The path of the program that muted; `nil`: not known.
    public let program: String?

    public init(_ scope: MuteScope, user: UInt32?, program: String?) {
        self.scope = scope
        self.user = user
        self.program = program
    }

    init(_ scope: MuteScope, by caller: Caller) {
        self.init(scope, user: caller.user, program: caller.executable.path)
    }

    /// For a ledger that does not say whether anything is muted.
    public static let unknown = Mute(.everyone, user: nil, program: nil)

    /// The program, safe to show; `nil` if it is not known, or of another user, which is nobody else's business.
    public func program(for user: UInt32) -> String? {
        self.user == user ? program.map { DisplayText.cleaned($0, limit: 400) } : nil
    }
}

/// The mutes in force: at most one for everyone and one of each user.
public struct Mutes: Sendable, Hashable {
    private var mutes: [MuteScope: Mute] = [:]

    public init() {}

    /// For a ledger that cannot be read: everything is muted.
    static var unknown: Mutes {
        var mutes = Mutes()
        mutes[.everyone] = .unknown
        return mutes
    }

    public subscript(scope: MuteScope) -> Mute? {
        get { mutes[scope] }
        set { mutes[scope] = newValue }
    }

    /// The one that applies to the user: their own before that for everyone.
    public func covering(_ user: UInt32) -> Mute? { mutes[.user(user)] ?? mutes[.everyone] }

    /// Those that apply to the user.
    func excerpt(ofUser user: UInt32) -> Mutes {
        var excerpt = Mutes()
        for scope in [MuteScope.everyone, .user(user)] { excerpt[scope] = mutes[scope] }
        return excerpt
    }

    /// With the other's mutes of all scopes but these.
    func replaced(by other: Mutes, except kept: some Collection<MuteScope>) -> Mutes {
        var replaced = other
        for scope in kept { replaced[scope] = mutes[scope] }
        return replaced
    }
}
