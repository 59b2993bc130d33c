import Speech

extension RecognitionSession {
    /// Gives it the samples as a microphone would, only faster.
    public func hear(_ samples: [Int16], at position: Int64 = 0) async {
        for start in stride(from: 0, to: samples.count, by: 1_600) {
            await accept(
                Frames(
                    samples: Array(samples[start..<min(start + 1_600, samples.count)]),
                    position: position + Int64(start)))
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
