/// How long a client of the Wyoming door is waited for.
struct WyomingPatience: Sendable {
    /// For a connection's first event, for the rest of one that has begun, for the next piece of audio, and for an answer
    /// to be read.
    var event = Duration.seconds(30)
    /// Between two transcriptions.
    var idle = Duration.seconds(300)
    /// For what a client sends after it was told that it is refused.
    var drain = Duration.seconds(2)
}
