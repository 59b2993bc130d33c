/// A recording that came in: what is read in it and how it sounds, 16 kHz mono.
struct Recording: Sendable {
    /// Its place among those that came.
    let place: Int
    let words: [String]
    let samples: [Int16]

    var seconds: Double { Double(samples.count) / 16_000 }
}
