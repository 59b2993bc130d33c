import Synchronization

/// Whether an engine was given the whole utterance, so that an answer can be one.
final class EngineQuestion: Sendable {
    private let state = Mutex(false)

    var isPut: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
