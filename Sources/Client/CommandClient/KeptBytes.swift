import NIOCore
import class VoiceGateClient.ResponseHandler
import struct VoiceGateClient.Exchange

/// The data of a kept item as it comes.
package struct KeptBytes: AsyncSequence, Sendable {
    package typealias Element = [UInt8]

    let exchange: Exchange

    package func makeAsyncIterator() -> Iterator { Iterator(body: exchange.body.makeAsyncIterator()) }

    package struct Iterator: AsyncIteratorProtocol {
        var body: ResponseHandler.Body.AsyncIterator

        /// - Throws: `ClientError`, also when the service breaks off in the middle.
        package mutating func next() async throws -> [UInt8]? {
            try await body.next().map { Array($0.readableBytesView) }
        }
    }
}
