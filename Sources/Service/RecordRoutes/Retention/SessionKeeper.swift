import Authorization
import Foundation
import Logging
import Retention
import SocketAPI
import Speech
import Synchronization

/// Keeps recordings and transcripts of sessions as the service's items.
package struct SessionKeeper: Keeper {
    private let items: ItemStore
    private let logger: Logger

    package init(items: ItemStore, logger: Logger) { (self.items, self.logger) = (items, logger) }

    package func begin(_ session: SessionDescription, keeping times: KeepingTimes) -> any SessionKeeping {
        KeptSession(
            tracks: Dictionary(
                uniqueKeysWithValues: times.map { ($0, KeptTrack($0, of: session, for: $1, items, logger)) }))
    }
}

/// What is kept of one session: a recording as samples of 16 bits, little-endian, and a transcript as a line of JSON for
/// each utterance.
struct KeptSession: SessionKeeping {
    let tracks: [DataKind: KeptTrack]

    func heard(_ frames: Frames) {
        guard let track = tracks[.recording] else { return }
        var bytes = Data(capacity: frames.samples.count * 2)
        for sample in frames.samples { withUnsafeBytes(of: sample.littleEndian) { bytes.append(contentsOf: $0) } }
        track.add(bytes)
    }

    func recognised(_ transcript: Transcript) {
        guard let track = tracks[.transcript] else { return }
        let utterance = KeptUtterance(text: transcript.text, start: transcript.start, end: transcript.end)
        guard let line = try? JSONCoding.encoder().encode(utterance) else { return }
        track.add(line + [UInt8(ascii: "\n")])
    }

    func end(isKept: Bool) async {
        for track in tracks.values { await track.end(isKept: isKept) }
    }
}

/// Writes one item of a session. The session never waits for it: if the disk is too slow, only the item fails.
final class KeptTrack: Sendable {
    /// Shared with the writing task, which begins before the track is initialised.
    private final class State: Sendable {
        /// Bytes not written yet, and why nothing more is written.
        let value = Mutex((waiting: 0, failure: (any Error)?.none))
    }

    /// A minute of sound.
    private static let mostWaiting = 60 * 32_000

    private let kind: DataKind
    private let session: SessionDescription
    private let items: ItemStore
    private let logger: Logger
    private let pieces: AsyncStream<Data>.Continuation
    private let writing: Task<ItemWriter?, Never>
    private let state: State

    init(_ kind: DataKind, of session: SessionDescription, for time: KeepingTime, _ items: ItemStore, _ logger: Logger)
    {
        self.kind = kind
        self.session = session
        self.items = items
        self.logger = logger
        // Bounded by `mostWaiting`; no piece may be dropped.
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self, bufferingPolicy: .unbounded)
        pieces = continuation
        let state = State()
        self.state = state
        writing = Task {
            var writer: ItemWriter?
            for await piece in stream {
                let hasFailed = state.value.withLock {
                    $0.waiting -= piece.count
                    return $0.failure != nil
                }
                if hasFailed { break }
                do {
                    if writer == nil { writer = try await items.begin(kind, of: session, for: time) }
                    try await writer?.append(piece)
                } catch {
                    state.value.withLock { $0.failure = error }
                    break
                }
            }
            guard state.value.withLock({ $0.failure }) != nil, let failed = writer else { return writer }
            // At once: the incomplete item may be what fills the disk.
            await items.drop(failed.item)
            return nil
        }
    }

    func add(_ bytes: Data) {
        let isTaken = state.value.withLock { state in
            guard state.failure == nil else { return false }
            guard state.waiting + bytes.count <= Self.mostWaiting else {
                state.failure = RetentionError(
                    code: .inputOutput, message: "The disk is slower than the recording. Free the disk.")
                return false
            }
            state.waiting += bytes.count
            return true
        }
        if isTaken { pieces.yield(bytes) }
    }

    func end(isKept: Bool) async {
        pieces.finish()
        let writer = await writing.value
        if let failure = state.value.withLock({ $0.failure }) {
            return await recordUnkept(failure)
        }
        guard let writer else { return }
        guard isKept else { return await items.drop(writer.item) }
        do {
            try await items.keep(writer)
        } catch let error as RetentionError where error.code == .erased {
            logger.info("not kept: the permission was withdrawn", metadata: ["item": "\(writer.item.identifier)"])
        } catch {
            await recordUnkept(error)
        }
    }

    private func recordUnkept(_ error: any Error) async {
        logger.error("\(kind.rawValue) is not kept", metadata: ["reason": "\(error)"])
        await items.recordUnkept(kind, of: session, "\(error)")
    }
}
