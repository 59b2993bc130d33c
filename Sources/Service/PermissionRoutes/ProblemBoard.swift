import LinuxSystem
import PolicyFiles
import Server
import Synchronization

/// The manifests, policy files and logs that cannot be used, for status and settings.
package final class ProblemBoard: Sendable {
    private struct State {
        /// The administrator's policy as it was last read.
        var policy: PolicySnapshot?
        var log: [String: String] = [:]
        /// All sentences, and the version of the catalogue they are for.
        var all: (sentences: [String], version: UInt64)?
    }

    private let state = Mutex(State())
    private let clients: ClientResolver

    package init(clients: ClientResolver) { self.clients = clients }

    /// The administrator's policy as it was last read.
    package var policy: PolicySnapshot? { state.withLock(\.policy) }

    package func setPolicy(_ snapshot: PolicySnapshot) {
        state.withLock { state in
            state.policy = snapshot
            state.all = nil
        }
    }

    package func setLogProblem(_ problem: String, path: String) {
        state.withLock { state in
            state.log = [path: problem]
            state.all = nil
        }
    }

    /// One sentence for each file, sorted by path.
    func all(of user: UInt32) async -> [String] { all(in: await clients.current(of: user)) }

    /// The same, with a catalogue that was read already.
    func all(in current: VersionedCatalog) -> [String] {
        let (catalog, version) = current
        return state.withLock { state in
            if let all = state.all, all.version == version { return all.sentences }
            let problems = catalog.problems.merging(state.policy?.provenance.broken ?? [:]) { _, policy in policy }
                .merging(state.log) { _, log in log }
            let sentences = problems.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            state.all = (sentences, version)
            return sentences
        }
    }
}
