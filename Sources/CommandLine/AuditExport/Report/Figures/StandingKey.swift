/// What an answer is about, within a program.
struct StandingKey: Sendable, Hashable, Comparable {
    let resource: String
    let user: String

    static func < (left: StandingKey, right: StandingKey) -> Bool {
        (left.resource, left.user) < (right.resource, right.user)
    }
}
