/// Reads little-endian numbers and names out of bytes that may be damaged.
struct ByteReader {
    private let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A number of 32 bits that is not negative; `nil` at the end.
    mutating func integer() -> Int? {
        guard position + 4 <= bytes.count else { return nil }
        let value = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[position + $1]) << (8 * UInt32($1)) }
        position += 4
        return Int32(bitPattern: value) < 0 ? nil : Int(value)
    }

    /// The same, at most `most`.
    mutating func count(_ most: Int) -> Int? {
        guard let value = integer(), value <= most else { return nil }
        return value
    }

    /// Bytes up to a 0, which is skipped; `nil` where there is none near.
    mutating func name() -> [UInt8]? {
        let end = bytes[position...].prefix(64).firstIndex(of: 0)
        guard let end else { return nil }
        defer { position = end + 1 }
        return Array(bytes[position..<end])
    }

    /// `false` when there are not so many.
    @discardableResult
    mutating func skip(_ count: Int) -> Bool {
        guard count >= 0, position + count <= bytes.count else { return false }
        position += count
        return true
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        let start = position
        return skip(count) ? bytes[start..<start + count] : nil
    }
}
