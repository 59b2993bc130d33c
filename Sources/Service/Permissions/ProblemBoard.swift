import PolicyFiles

/// Files that could not be used or do not fit, for everybody who asks how things stand.
actor ProblemBoard {
    /// The administrator's policy as it was last read.
    private(set) var policy: PolicySnapshot?
    private var log: [String: String] = [:]
    private let clients: ClientResolver

    init(clients: ClientResolver) { self.clients = clients }

    func setPolicy(_ snapshot: PolicySnapshot) { policy = snapshot }

    func setLogProblem(_ problem: String, path: String) { log = [path: problem] }

    /// One sentence for each file, in the order of their paths.
    func all() async -> [String] {
        let problems = await clients.problems().merging(policy?.provenance.broken ?? [:]) { _, policy in policy }
            .merging(log) { _, log in log }
        return problems.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    }
}
