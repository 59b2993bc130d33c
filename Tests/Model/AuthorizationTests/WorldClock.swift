import Authorization
import Synchronization

/// The two clocks of a random sequence.
final class WorldClock: Sendable {
    private let state: Mutex<Moment>

    init() { state = Mutex(Moment(boot: "boot-0", sinceBoot: 1_000, wall: 1_800_000_000_000)) }

    var now: Moment { state.withLock { $0 } }

    func pass(_ milliseconds: Int64) {
        state.withLock {
            $0 = Moment(boot: $0.boot, sinceBoot: $0.sinceBoot + milliseconds, wall: $0.wall + milliseconds)
        }
    }

    func setWall(by milliseconds: Int64) {
        state.withLock { $0 = Moment(boot: $0.boot, sinceBoot: $0.sinceBoot, wall: $0.wall + milliseconds) }
    }

    func reboot(number: Int, off milliseconds: Int64) {
        state.withLock { $0 = Moment(boot: "boot-\(number)", sinceBoot: 0, wall: $0.wall + milliseconds) }
    }
}
