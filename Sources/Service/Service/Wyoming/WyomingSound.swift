import RecognizerProtocol
import Synchronization

/// The audio between `audio-start` and `audio-stop` as a sound file that is read as it comes.
struct WyomingSound: AsyncSequence, Sendable {
    private let reader: WyomingReader
    private let format: WyomingFormat
    private let answer: @Sendable (WyomingEvent) async throws -> Void
    private let failed = Breakage()

    private final class Breakage: Sendable { let error = Mutex<(any Error)?>(nil) }

    /// What was wrong with what came; a session tells only that its sound broke off.
    var failure: (any Error)? { failed.error.withLock { $0 } }

    /// - Parameter answering: what else comes meanwhile.
    init(
        _ reader: WyomingReader, _ format: WyomingFormat,
        answering answer: @escaping @Sendable (WyomingEvent) async throws -> Void
    ) {
        self.reader = reader
        self.format = format
        self.answer = answer
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let sound: WyomingSound
        var hasBegun = false
        var left = FileSessions.largestFile

        /// A header first, then the payloads. Ends with `audio-stop`.
        mutating func next() async throws -> [UInt8]? {
            do {
                return try await piece()
            } catch {
                sound.failed.error.withLock { $0 = error }
                throw error
            }
        }

        private mutating func piece() async throws -> [UInt8]? {
            guard hasBegun else {
                hasBegun = true
                return sound.format.header
            }
            while let event = try await sound.reader.next(isAudio: true) {
                switch event.type {
                case "audio-chunk":
                    try sound.format.check(event)
                    left -= event.payload.count
                    guard left >= 0 else {
                        throw RouteError(
                            .tooLarge,
                            "A recording may have at most \(FileSessions.largestFile >> 30) GB; send it in parts.")
                    }
                    if !event.payload.isEmpty { return event.payload }
                case "audio-stop": return nil
                case "audio-start", "transcribe":
                    throw RouteError(.badRequest, "\(event.type) came before the audio-stop of the last recording.")
                default: try await sound.answer(event)
                }
            }
            throw RouteError(.badRequest, "The stream ended before the audio-stop.")
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sound: self) }
}
