import Authorization
import Synchronization

/// A login of a person, as logind reports it (org.freedesktop.login1(5)).
public struct LoginSession: Sendable, Hashable {
    /// As in the name of its control group.
    public let identifier: String
    public let user: UInt32
    /// Empty: it is not at this machine (sd_session_get_seat(3)).
    public let seat: String
    /// `x11`, `wayland`, `mir`: a desktop.
    public let type: String
    /// Whether it has the screen, or is remote.
    public let isActive: Bool
    /// Whether its desktop says that the screen is locked. A program of its user can say so, too.
    public let isLocked: Bool

    public init(identifier: String, user: UInt32, seat: String, type: String, isActive: Bool, isLocked: Bool) {
        (self.identifier, self.user, self.seat, self.type) = (identifier, user, seat, type)
        (self.isActive, self.isLocked) = (isActive, isLocked)
    }

    /// Whether its user may be in front of it.
    var isInUse: Bool { isActive && !isLocked }
}

/// logind's sessions at one moment.
public struct LoginSessions: Sendable, Hashable {
    public let sessions: [LoginSession]
    /// The machine is about to sleep, or asleep.
    public let isSleeping: Bool

    public init(_ sessions: [LoginSession], isSleeping: Bool = false) {
        (self.sessions, self.isSleeping) = (sessions, isSleeping)
    }

    /// Of users with sessions at this machine, who are in front of none of them. Users without any, such as those of a server and of
    /// services, are never absent.
    public var absences: Absences {
        let users = Dictionary(grouping: sessions.filter { !$0.seat.isEmpty }, by: \.user)
        return Absences(
            users: users.compactMapValues { sessions in
                if sessions.contains(where: \.isInUse) { return nil }
                return sessions.contains(where: \.isLocked) ? .locked : .switched
            }, isAsleep: isSleeping)
    }

    /// Whether the session has the screen or is remote, and is not locked.
    func isInUse(_ session: Substring) -> Bool { sessions.contains { $0.identifier == session && $0.isInUse } }

    func isInUseAtSeat(_ session: Substring) -> Bool {
        sessions.contains { $0.identifier == session && $0.isInUse && !$0.seat.isEmpty }
    }

    func hasSeatInUse(user: UInt32) -> Bool {
        sessions.contains { $0.user == user && $0.isInUse && !$0.seat.isEmpty }
    }

    func hasSessionInUse(user: UInt32) -> Bool { sessions.contains { $0.user == user && $0.isInUse } }

    func hasDesktopInUse(user: UInt32) -> Bool {
        sessions.contains { $0.user == user && $0.isInUse && ["x11", "wayland", "mir"].contains($0.type) }
    }
}

/// What is known of logind's sessions now.
public enum LoginState: Sendable, Hashable {
    /// No logind runs on this machine: every terminal counts as in use.
    case withoutLogind
    /// It does not answer: none of its sessions counts as in use.
    case unknown
    case known(LoginSessions)
}

/// The newest state of logind. Its writer is the one that follows logind, its readers are those that ask for a presence.
public final class LoginBook: Sendable {
    private let current: Mutex<LoginState>

    public init(_ state: LoginState = .withoutLogind) { current = Mutex(state) }

    public var state: LoginState {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    var sessions: LoginSessions? { if case .known(let sessions) = state { sessions } else { nil } }
}
