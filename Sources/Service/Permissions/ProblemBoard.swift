import Synchronization

/// Files that could not be used or do not fit, for everybody who asks how things stand.
final class ProblemBoard: Sendable {
    private struct State {
        var policy: [String: String] = [:]
        var log: [String: String] = [:]
        /// All sentences, and the version of the clients' catalogue that they were made of.
        var all: (sentences: [String], version: UInt64)?
    }

    private let state = Mutex(State())
    private let clients: ClientResolver

    init(clients: ClientResolver) { self.clients = clients }

    func setPolicyProblems(_ problems: [String: String]) {
        state.withLock { state in
            state.policy = problems
            state.all = nil
        }
    }

    func setLogProblem(_ problem: String, path: String) {
        state.withLock { state in
            state.log = [path: problem]
            state.all = nil
        }
    }

    /// One sentence for each file, in the order of their paths.
    func all() async -> [String] {
        let (catalog, version) = await clients.current()
        return state.withLock { state in
            if let all = state.all, all.version == version { return all.sentences }
            let problems = catalog.problems.merging(state.policy) { _, policy in policy }
                .merging(state.log) { _, log in log }
            let sentences = problems.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            state.all = (sentences, version)
            return sentences
        }
    }
}
