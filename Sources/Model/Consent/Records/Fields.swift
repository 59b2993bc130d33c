import Cryptography
import Foundation
import Synchronization

/// The fields of a record while they are put together: a list, because hashing the names would take longer than writing the
/// record. Of two fields with one name the later one counts.
struct Fields: Sendable {
    private var members: [(String, JSONValue)] = []

    init() {}

    /// One field; none without a value.
    init<Value>(_ field: Field<Value>, _ value: Value?) { self[field] = value }

    /// One field; `null` without a value, which is known to be none.
    init<Value>(_ field: Field<Value>, orNull value: Value?) { members = [(field.name, value?.json ?? .null)] }

    static func + (left: consuming Fields, right: Fields) -> Fields {
        left.members.append(contentsOf: right.members)
        return left
    }

    /// `nil`: there is no such field.
    subscript<Value>(field: Field<Value>) -> Value? {
        get { members.last { $0.0 == field.name }.flatMap { Value(json: $0.1) } }
        set {
            if let newValue {
                members.append((field.name, newValue.json))
            } else {
                members.removeAll { $0.0 == field.name }
            }
        }
    }

    var dictionary: [String: JSONValue] { Dictionary(members) { $1 } }

    /// The text of a disclosure with these fields and a new salt; see `Disclosure`.
    func disclosure() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1024)
        bytes.append(contentsOf: #"[""#.utf8)
        Salts.shared.next { Base64URL.append($0, to: &bytes) }
        bytes.append(contentsOf: #"",{"#.utf8)
        // Stable: of one name, the later field is the last one.
        let sorted = members.sorted { JSONValue.precedes($0.0, $1.0) }
        for (place, member) in sorted.enumerated() {
            if place + 1 < sorted.count, sorted[place + 1].0 == member.0 { continue }
            if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
            JSONValue.quote(member.0, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            member.1.write(to: &bytes)
        }
        bytes.append(contentsOf: "}]".utf8)
        return bytes
    }
}

/// The fields of a function's lines.
@resultBuilder enum FieldsBuilder {
    static func buildBlock(_ parts: Fields...) -> Fields { parts.dropFirst().reduce(parts[0], +) }
}

/// Random salts of disclosures, several from one system call, which takes as long as the rest of a record's writing.
private final class Salts: Sendable {
    static let shared = Salts()

    private static let size = 16
    /// The most that `getentropy` gives at once.
    private static let blockSize = 256
    private let block = Mutex((bytes: [UInt8](repeating: 0, count: blockSize), used: blockSize))

    /// A salt that was not given to anyone else, and is discarded here.
    func next(_ body: (UnsafeRawBufferPointer) -> Void) {
        block.withLock { block in
            let place = block.used % Self.blockSize
            block.bytes.withUnsafeMutableBytes { bytes in
                // It fails only for invalid addresses and sizes (getentropy(3)).
                if place == 0 { precondition(getentropy(bytes.baseAddress, bytes.count) == 0, "no random bytes") }
                let salt = UnsafeMutableRawBufferPointer(rebasing: bytes[place..<(place + Self.size)])
                body(UnsafeRawBufferPointer(salt))
                salt.initializeMemory(as: UInt8.self, repeating: 0)
            }
            block.used = place + Self.size
        }
    }
}
