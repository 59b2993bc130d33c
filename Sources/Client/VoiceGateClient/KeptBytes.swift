import NIOCore

/// The data of a kept item as it comes.
public struct KeptBytes: AsyncSequence, Sendable {
    public typealias Element = [UInt8]

    let exchange: Exchange

    public func makeAsyncIterator() -> Iterator { Iterator(body: exchange.body.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
        var body: ResponseHandler.Body.AsyncIterator

        /// - Throws: `ClientError`, also when the service breaks off in the middle.
        public mutating func next() async throws -> [UInt8]? {
            try await body.next().map { Array($0.readableBytesView) }
        }
    }
}
