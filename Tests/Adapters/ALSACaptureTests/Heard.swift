import Speech

/// What a reader got from a stream.
struct Heard {
    var runs: [Frames] = []
    /// The events that are not frames.
    var events: [CaptureEvent] = []
    /// Whether the stream ended.
    var isEnded = true

    var samples: [Int16] { runs.flatMap(\.samples) }
    var frameCount: Int { runs.reduce(0) { $0 + $1.samples.count } }

    var failure: CaptureError? { if case .failed(let error)? = events.last { error } else { nil } }

    var lostFrames: [Int64] { events.compactMap { if case .overrun(let lost) = $0 { lost } else { nil } } }
}

extension CaptureStream {
    /// Reads until the condition holds after an event, or to the end.
    func hear(until isEnough: (Heard) -> Bool = { _ in false }) async -> Heard {
        var heard = Heard()
        for await event in events {
            if case .frames(let frames) = event { heard.runs.append(frames) } else { heard.events.append(event) }
            if isEnough(heard) {
                heard.isEnded = false
                break
            }
        }
        return heard
    }
}
