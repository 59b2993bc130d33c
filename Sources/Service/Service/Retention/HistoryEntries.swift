import Authorization
import Retention
import SocketAPI

/// What is kept, each item read when it is to be sent.
struct HistoryEntries: AsyncSequence, Sendable {
    typealias Element = HistoryEntry

    let kept: [KeptItem]
    let manifests: [ClientIdentifier: Manifest]
    /// Where texts of transcripts are read from; `nil`: they are not told.
    let texts: ItemStore?

    func makeAsyncIterator() -> Iterator { Iterator(entries: self) }

    struct Iterator: AsyncIteratorProtocol {
        let entries: HistoryEntries
        private var position = 0

        init(entries: HistoryEntries) { self.entries = entries }

        mutating func next() async -> HistoryEntry? {
            guard position < entries.kept.count else { return nil }
            let item = entries.kept[position]
            position += 1
            return await HistoryEntry(
                item, manifest: entries.manifests[item.client], text: item.kind == .transcript ? entries.texts : nil)
        }
    }
}
