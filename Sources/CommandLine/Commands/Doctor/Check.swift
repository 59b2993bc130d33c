/// One thing that `voicegate doctor` looks at. Pure: everything it knows is in the facts.
struct Check: Sendable {
    let name: String
    let look: @Sendable (Facts) -> [Finding]

    /// In the order in which they are shown.
    static let all: [Check] = [
        .mode, .enforcement, .service, .socketFolder, .stateFolder, .log, .policy, .manifests, .mute, .agent,
        .recognizer, .devices, .otherPrograms, .engine,
    ]

    static func findings(_ facts: Facts, _ checks: [Check] = all) -> [Finding] { checks.flatMap { $0.look(facts) } }

    init(_ name: String, _ look: @escaping @Sendable (Facts) -> [Finding]) {
        self.name = name
        self.look = look
    }

    /// A check that can say nothing without the service.
    static func unknown(_ name: String, _ what: String) -> [Finding] {
        [Finding(name, .unknown, "\(what) is not known, because the service does not answer.")]
    }
}
