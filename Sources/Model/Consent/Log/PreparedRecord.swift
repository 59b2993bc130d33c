import Foundation

/// A record that only lacks its place and time; made by whoever asks for it, so that the one writer has little to do.
struct PreparedRecord: Sendable {
    let kind: RecordKind
    let disclosure: Data
    let digest: String
    let change: StoredChange?

    init(_ content: RecordContent, changing change: StoredChange? = nil) throws(ConsentError) {
        let disclosure = Disclosure(content.fields)
        guard disclosure.text.count <= JSONValue.maximumSize else {
            throw ConsentError(code: .tooLarge, message: "The record is larger than 1 MiB and was not written.")
        }
        kind = content.kind
        self.disclosure = disclosure.text
        digest = disclosure.digest
        self.change = change
    }

    func placed(at index: Int64, time: Timestamp) -> StoredRecord {
        StoredRecord(
            index: index, kind: kind.rawValue,
            leaf: RecordLeaf(index: index, kind: kind, time: time, digest: digest).data, disclosed: disclosure)
    }
}
