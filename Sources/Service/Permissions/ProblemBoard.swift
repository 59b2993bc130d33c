/// Files that could not be used or do not fit, for everybody who asks how things stand.
actor ProblemBoard {
    private var policy: [String: String] = [:]
    private var log: [String: String] = [:]
    private let clients: ClientResolver

    init(clients: ClientResolver) { self.clients = clients }

    func setPolicyProblems(_ problems: [String: String]) { policy = problems }

    func setLogProblem(_ problem: String, path: String) { log = [path: problem] }

    /// One sentence for each file, in the order of their paths.
    func all() async -> [String] {
        let problems = await clients.problems().merging(policy) { _, policy in policy }.merging(log) { _, log in log }
        return problems.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    }
}
