/// Files that could not be used, for everybody who asks how things stand.
actor ProblemBoard {
    private var policy: [String: String] = [:]
    private let clients: ClientResolver

    init(clients: ClientResolver) { self.clients = clients }

    func setPolicyProblems(_ problems: [String: String]) { policy = problems }

    /// One sentence for each file, in the order of their paths.
    func all() async -> [String] {
        let problems = await clients.problems().merging(policy) { _, policy in policy }
        return problems.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    }
}
