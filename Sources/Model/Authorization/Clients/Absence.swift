/// Why no person is in front of any session of a user at this machine. No microphone listens for the user meanwhile.
public enum Absence: String, Sendable, Codable, Hashable, CaseIterable {
    /// The screen is locked.
    case locked
    /// Another user's session, or the login screen, is on the screen.
    case switched
    /// The machine sleeps, or is about to.
    case asleep
}

/// Who is absent now.
public struct Absences: Sendable, Hashable {
    public var users: [UInt32: Absence]
    /// Everyone is.
    public var isAsleep: Bool

    public init(users: [UInt32: Absence] = [:], isAsleep: Bool = false) {
        (self.users, self.isAsleep) = (users, isAsleep)
    }

    public subscript(user: UInt32) -> Absence? { isAsleep ? .asleep : users[user] }
}
