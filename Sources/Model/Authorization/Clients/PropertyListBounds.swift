import Foundation

/// Bounds a property list before Foundation parses it. Foundation's parser follows nesting by recursion, and a binary list
/// may refer to one object many times, so that a few hundred bytes grow without bound.
struct PropertyListBounds {
    enum Finding {
        case withinBounds
        case tooComplex
        case notPropertyList
    }

    static let depthLimit = 16
    static let entryLimit = 4096
    static let bracketLimit = 200

    static func check(_ data: Data) -> Finding {
        let bytes = [UInt8](data)
        guard bytes.starts(with: Array("bplist0".utf8)) else { return checkXML(bytes) }
        guard var walk = PropertyListBounds(binary: bytes) else { return .notPropertyList }
        return walk.visit(walk.topObject, depth: 0)
    }

    /// The same for an `InfoPlist.strings`, which may also be in the old ASCII format; there every bracket counts as a level.
    static func checkStrings(_ data: Data) -> Finding {
        let first = data.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        if first == UInt8(ascii: "<") || data.starts(with: Array("bplist0".utf8)) { return check(data) }
        guard let text = String(validating: data, as: UTF8.self), !text.contains("\0") else { return .notPropertyList }
        let brackets = data.count { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "{") }
        return brackets <= bracketLimit ? .withinBounds : .tooComplex
    }

    /// Every opening tag counts as a level, closed or not, so that comments and CDATA need no parsing.
    private static func checkXML(_ bytes: [UInt8]) -> Finding {
        // Another encoding could hide tags. Without the first "<" it would be the old ASCII format.
        guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0"),
            text.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).first == "<"
        else { return .notPropertyList }
        if let declaration = text.prefix(while: { $0 != ">" }).range(of: "encoding", options: .caseInsensitive) {
            let rest = text[declaration.upperBound...].prefix(20).lowercased().filter { !" =\"'".contains($0) }
            guard rest.hasPrefix("utf-8") || rest.hasPrefix("us-ascii") else { return .notPropertyList }
        }
        var containers = 0
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "<") {
            let tag = bytes[(index + 1)...].prefix(5)
            if tag.starts(with: "array".utf8) || tag.starts(with: "dict".utf8) { containers += 1 }
        }
        return containers <= 256 ? .withinBounds : .tooComplex
    }

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let offsetTable: Int
    private let topObject: Int
    private var entries = 0

    /// Reads the trailer: the last 32 bytes (Apple's CFBinaryPList.c: 6 unused, offset size, reference size, then the
    /// number of objects, the top object and the offset table's position, 8 bytes each, big-endian).
    private init?(binary bytes: [UInt8]) {
        guard bytes.count >= 40 else { return nil }
        let trailer = bytes.count - 32
        self.bytes = bytes
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = Self.integer(bytes, at: trailer + 8, size: 8),
            let top = Self.integer(bytes, at: trailer + 16, size: 8),
            let table = Self.integer(bytes, at: trailer + 24, size: 8), top < count, count <= bytes.count
        else { return nil }
        objectCount = count
        topObject = top
        offsetTable = table
    }

    /// Follows references as the parser would, repeated ones too.
    private mutating func visit(_ object: Int, depth: Int) -> Finding {
        entries += 1
        guard depth <= Self.depthLimit, entries <= Self.entryLimit else { return .tooComplex }
        guard object < objectCount,
            let offset = Self.integer(bytes, at: offsetTable + object * offsetSize, size: offsetSize),
            bytes.indices.contains(offset)
        else { return .notPropertyList }
        let kind = bytes[offset] >> 4
        // 0xA: array, 0xB and 0xC: sets, 0xD: dictionary with its keys first and then its values.
        guard (0xA...0xD).contains(kind) else { return .withinBounds }
        guard let (length, start) = count(at: offset) else { return .notPropertyList }
        guard length <= Self.entryLimit else { return .tooComplex }
        for index in 0..<(kind == 0xD ? length * 2 : length) {
            guard let next = Self.integer(bytes, at: start + index * referenceSize, size: referenceSize) else {
                return .notPropertyList
            }
            let finding = visit(next, depth: depth + 1)
            guard finding == .withinBounds else { return finding }
        }
        return .withinBounds
    }

    /// A length under 15 is in the marker; otherwise an integer object (marker 0x1n, 2 to the n bytes) follows.
    private func count(at offset: Int) -> (length: Int, start: Int)? {
        let low = Int(bytes[offset] & 0xF)
        guard low == 0xF else { return (low, offset + 1) }
        guard bytes.indices.contains(offset + 1), bytes[offset + 1] >> 4 == 1, bytes[offset + 1] & 0xF <= 3 else {
            return nil
        }
        let size = 1 << Int(bytes[offset + 1] & 0xF)
        guard let length = Self.integer(bytes, at: offset + 2, size: size) else { return nil }
        return (length, offset + 2 + size)
    }

    /// - Returns: `nil` outside the bytes, or for a number above any size within the limit.
    private static func integer(_ bytes: [UInt8], at offset: Int, size: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - size else { return nil }
        var value = 0
        for byte in bytes[offset..<offset + size] {
            guard value < 1 << 40 else { return nil }
            value = value << 8 | Int(byte)
        }
        return value < 1 << 40 ? value : nil
    }
}
