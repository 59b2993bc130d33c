import CSoundFile

/// Converts one channel to 16 kHz.
final class Resampler {
    private let ratio: Double
    // Owned by this object alone, freed in deinit; nil when the rate is 16 kHz already.
    private let state: OpaquePointer?

    init(from sampleRate: Int) throws(SoundFileError) {
        ratio = 16_000 / Double(sampleRate)
        guard sampleRate != 16_000 else {
            state = nil
            return
        }
        var error: Int32 = 0
        guard let state = src_new(Int32(SRC_SINC_FASTEST), 1, &error) else { throw Self.failure }
        self.state = state
    }

    deinit { if let state { src_delete(state) } }

    private static let failure = SoundFileError(
        code: .broken, message: "The sound file's rate cannot be converted; send 16 kHz.")

    func convert(_ input: [Float], isLast: Bool) throws(SoundFileError) -> [Float] {
        guard let state else { return input }
        var result: [Float] = []
        var output = [Float](repeating: 0, count: Int(Double(input.count) * ratio) + 1_024)
        var used = 0
        while true {
            var data = SRC_DATA()
            let error = input.withUnsafeBufferPointer { source in
                output.withUnsafeMutableBufferPointer { target in
                    // Both pointers are used within this call only. Input is nil only when it is empty.
                    data.data_in = source.baseAddress.map { $0 + used }
                    data.data_out = target.baseAddress
                    data.input_frames = source.count - used
                    data.output_frames = target.count
                    data.src_ratio = ratio
                    data.end_of_input = isLast ? 1 : 0
                    return src_process(state, &data)
                }
            }
            guard error == 0 else { throw Self.failure }
            used += Int(data.input_frames_used)
            result.append(contentsOf: output[..<Int(data.output_frames_gen)])
            if data.output_frames_gen == 0 && (used == input.count || data.input_frames_used == 0) { return result }
        }
    }
}
