import Authorization
import Crypto
import Foundation

/// The data of an item, decrypted chunk by chunk as it is read.
public struct KeptContent: AsyncSequence, Sendable {
    public typealias Element = Data

    public let item: KeptItem
    let key: SymmetricKey
    let folder: any KeptFolder

    public func makeAsyncIterator() -> Iterator { Iterator(content: self) }

    public struct Iterator: AsyncIteratorProtocol {
        let content: KeptContent
        private var opener: ItemOpener?

        init(content: KeptContent) { self.content = content }

        /// - Throws: `RetentionError` with `damaged`.
        public mutating func next() async throws -> Data? {
            var opener: ItemOpener
            if let begun = self.opener {
                opener = begun
            } else {
                let input = try await content.folder.open(content.item.identifier)
                opener = ItemOpener(
                    key: content.key, item: content.item.identifier, kind: content.item.kind, input: input)
            }
            let chunk = try await opener.next()
            self.opener = opener
            return chunk
        }
    }
}
