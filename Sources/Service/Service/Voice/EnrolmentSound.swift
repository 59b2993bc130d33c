import Authorization
import Retention
import Speech
import Synchronization

/// Holds what is read aloud until it was learnt from, in memory alone, and the item that the profile is to become. Made for
/// a session only where keeping a profile is declared and agreed to.
final class EnrolmentSound: Keeper {
    private struct State {
        var keeping: (session: SessionDescription, time: KeepingTime)?
        var pieces: [Frames] = []
        var writer: Result<ItemWriter, any Error>?
    }

    /// Sound that nobody asked for yet: two of the longest recordings.
    private static let longestWait = Int64(2 * EnrolmentClip.Bounds.longestClip * 16_000)
    /// Before and behind what was understood: the ends of words are quiet.
    private static let margin = 0.15

    private let items: ItemStore
    private let state = Mutex(State())

    init(items: ItemStore) { self.items = items }

    var kinds: Set<DataKind> { [.voiceProfile] }

    func begin(_ session: SessionDescription, keeping times: KeepingTimes) -> any SessionKeeping {
        state.withLock { state in state.keeping = times[.voiceProfile].map { (session, $0) } }
        return Track(sound: self)
    }

    /// Whether the profile may be kept; known when the session has begun.
    var isPermitted: Bool { state.withLock { $0.keeping != nil } }

    /// The sound between two times of the session, in seconds; what came before its end is forgotten.
    func take(from start: Double, to end: Double) -> [Int16] {
        let first = Int64(max(0, start - Self.margin) * 16_000)
        let last = Int64((end + Self.margin) * 16_000)
        return state.withLock { state in
            let samples = state.pieces.flatMap { piece -> ArraySlice<Int16> in
                let lower = max(0, first - piece.position)
                let upper = min(Int64(piece.samples.count), last - piece.position)
                return lower < upper ? piece.samples[Int(lower)..<Int(upper)] : []
            }
            state.pieces.removeAll { $0.position + Int64($0.samples.count) <= Int64(end * 16_000) }
            return samples
        }
    }

    /// The item that the profile is to become; it was begun while the permission still held, so that taking it back
    /// reaches it.
    ///
    /// - Throws: what kept it from being begun; `nil`: the session ended so that nothing is kept.
    func writer() throws -> ItemWriter? { try state.withLock { $0.writer }?.get() }

    private func add(_ frames: Frames) {
        state.withLock { state in
            state.pieces.append(frames)
            state.pieces.removeAll { $0.position + Self.longestWait < frames.position }
        }
    }

    private func end(isKept: Bool) async {
        let keeping = state.withLock { state in
            state.pieces = []
            return state.keeping
        }
        guard isKept, let keeping else { return }
        let writer: Result<ItemWriter, any Error>
        do {
            writer = .success(try await items.begin(.voiceProfile, of: keeping.session, for: keeping.time))
        } catch {
            writer = .failure(error)
            await items.recordUnkept(.voiceProfile, of: keeping.session, "\(error)")
        }
        state.withLock { $0.writer = writer }
    }

    /// The part of it that its session knows.
    private struct Track: SessionKeeping {
        let sound: EnrolmentSound

        func heard(_ frames: Frames) { sound.add(frames) }
        func recognised(_ transcript: Transcript) {}
        func end(isKept: Bool) async { await sound.end(isKept: isKept) }
    }
}
