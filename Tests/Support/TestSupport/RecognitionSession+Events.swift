import Speech

extension RecognitionSession {
    /// Gives it the samples as a microphone would, only faster, in pieces of this many.
    public func hear(_ samples: [Int16], at position: Int64 = 0, pieces: Int = 1_600) async {
        for start in stride(from: 0, to: samples.count, by: pieces) {
            let piece = Array(samples[start..<min(start + pieces, samples.count)])
            await accept(Frames(samples: piece, position: position + Int64(start)))
        }
    }

    /// Gives it a file in pieces, without an end.
    public func read(_ bytes: [UInt8]) async {
        for start in stride(from: 0, to: bytes.count, by: 50_000) {
            await accept(file: Array(bytes[start..<min(start + 50_000, bytes.count)]))
        }
    }

    /// All events to the end.
    public func rest() async -> [RecognitionEvent] {
        var all: [RecognitionEvent] = []
        for await event in events { all.append(event) }
        return all
    }
}

extension [RecognitionEvent] {
    public var finals: [Transcript] { compactMap { if case .final(let transcript) = $0 { transcript } else { nil } } }
    public var partials: [PartialTranscript] {
        compactMap { if case .partial(let partial) = $0 { partial } else { nil } }
    }
    public var text: String { finals.map(\.text).joined(separator: " ") }
    public var failure: RecognitionError? { if case .failed(let error)? = last { error } else { nil } }
}
