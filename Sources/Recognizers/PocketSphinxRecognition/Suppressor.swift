import CSpeexDSP

/// Suppresses the steady noise of an utterance, by SpeexDSP. To be used on one thread at a time.
final class Suppressor {
    private static let frameLength = 160

    // Owned by this object alone, freed in deinit.
    private let state: OpaquePointer
    /// The library's output is one frame behind its input; the first one is before the utterance.
    private var isFirst = true

    init?() {
        guard let state = speex_preprocess_state_init(Int32(Self.frameLength), 16_000) else { return nil }
        self.state = state
    }

    deinit { speex_preprocess_state_destroy(state) }

    /// - Parameter samples: in order, 10 ms or a multiple of it; the rest of a frame is left out.
    /// - Returns: as many, but for the first time, when the last 10 ms are still to come.
    func suppress(_ samples: [Int16]) -> [Int16] {
        var output = Array(samples.prefix(samples.count - samples.count % Self.frameLength))
        output.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for start in stride(from: 0, to: buffer.count, by: Self.frameLength) {
                _ = speex_preprocess_run(state, base + start)
            }
        }
        guard isFirst, !output.isEmpty else { return output }
        isFirst = false
        return Array(output.dropFirst(Self.frameLength))
    }

    /// A whole utterance; without memory for it, as it is.
    static func suppressed(_ samples: [Int16]) -> [Int16] {
        guard let suppressor = Suppressor() else { return samples }
        return suppressor.suppress(samples) + suppressor.suppress([Int16](repeating: 0, count: frameLength))
    }
}
