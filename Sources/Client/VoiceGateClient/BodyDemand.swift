import NIOCore

/// What the reader of a response's body does to the connection.
struct BodyDemand: NIOAsyncSequenceProducerDelegate {
    let channel: any Channel

    func produceMore() { channel.read() }

    /// Nobody reads any more, or all was read. A closed connection is what ends a dictation.
    func didTerminate() { channel.close(promise: nil) }
}
