import Consent
import Crypto
import Foundation

/// A batch of records in the journal:
///
/// | Bytes | |
/// |---|---|
/// | 4 | length of the content, little endian |
/// | … | the content: each record's kind, leaf and disclosure with their lengths (4 bytes each); empty in a frame that begins a half |
/// | 32 | the seal: SHA-256 of the previous frame's seal and of all bytes above |
///
/// The first seal is random, so a frame is taken only at its place behind its predecessors: none that is torn, and none of an
/// earlier round, of another log or of another copy of the file.
enum JournalFrame {
    static let sealSize = SHA256.byteCount
    /// Of one without records.
    static let leastSize = lengthSize + sealSize
    private static let lengthSize = 4

    /// - Parameter batch: `nil`: the frame has no records.
    static func bytes(_ batch: StoredBatch?, after seal: [UInt8]) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(
            batch?.records.reduce(128) { $0 + 64 + $1.leaf.count + ($1.disclosed?.count ?? 0) } ?? 64)
        append(length: 0, to: &frame)
        if let batch {
            for record in batch.records {
                append(length: record.kind.utf8.count, to: &frame)
                frame.append(contentsOf: record.kind.utf8)
                for part in [record.leaf, record.disclosed ?? Data()] {
                    append(length: part.count, to: &frame)
                    part.withUnsafeBytes { frame.append(contentsOf: $0) }
                }
            }
            withUnsafeBytes(of: UInt32(frame.count - lengthSize).littleEndian) { length in
                frame.replaceSubrange(0..<lengthSize, with: length)
            }
        }
        frame.append(contentsOf: Self.seal(frame[...], after: seal))
        return frame
    }

    /// The frame at the beginning of the bytes.
    ///
    /// - Returns: `nil` if there is none that follows the one with this seal.
    static func next(in bytes: ArraySlice<UInt8>, after seal: [UInt8]) -> ArraySlice<UInt8>? {
        guard let length = length(in: bytes), length <= bytes.count - lengthSize - sealSize else { return nil }
        let frame = bytes.prefix(lengthSize + length + sealSize)
        guard frame.suffix(sealSize).elementsEqual(Self.seal(frame.dropLast(sealSize), after: seal)) else { return nil }
        return frame
    }

    /// The batch that a frame holds, computed again.
    ///
    /// - Parameter tree: before the batch.
    /// - Returns: `nil` for a frame without records.
    /// - Throws: `StorageError` if the records do not follow that tree.
    static func batch(in frame: ArraySlice<UInt8>, after tree: StoredTree?) throws(StorageError) -> StoredBatch? {
        var content = frame.dropFirst(lengthSize).dropLast(sealSize)
        guard !content.isEmpty else { return nil }
        var records: [StoredRecord] = []
        while !content.isEmpty {
            guard let kind = part(&content), let leaf = part(&content), let disclosed = part(&content) else {
                throw misplaced
            }
            records.append(
                StoredRecord(
                    index: (tree?.size ?? 0) + Int64(records.count), kind: String(decoding: kind, as: UTF8.self),
                    leaf: Data(leaf), disclosed: disclosed.isEmpty ? nil : Data(disclosed)))
        }
        guard let batch = StoredBatch(records: records, after: tree) else { throw misplaced }
        return batch
    }

    private static let misplaced = StorageError(
        code: .logLost,
        message:
            "The records in the consent log's journal do not follow those in the database, so records may be lost. "
            + "Restore both from one backup.")

    private static func part(_ content: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let length = length(in: content), length <= content.count - lengthSize else { return nil }
        let part = content.dropFirst(lengthSize).prefix(length)
        content = content[part.endIndex...]
        return part
    }

    private static func append(length: Int, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: UInt32(length).littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func length(in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= lengthSize else { return nil }
        return Int(bytes.prefix(lengthSize).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }

    private static func seal(_ bytes: ArraySlice<UInt8>, after seal: [UInt8]) -> SHA256Digest {
        var hash = SHA256()
        seal.withUnsafeBytes { hash.update(bufferPointer: $0) }
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize()
    }
}
