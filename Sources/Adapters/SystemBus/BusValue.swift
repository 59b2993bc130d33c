import Glibc

/// A value of D-Bus ("Type system" in its specification). `int16` and `uint16` are read as 32 bits, and a signature as a string.
public indirect enum BusValue: Sendable, Hashable {
    case byte(UInt8)
    case boolean(Bool)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case descriptor(BusDescriptor)
    /// - Parameter of: the signature of an element.
    case array(of: String, [BusValue])
    case structure([BusValue])
    /// With strings as keys. `of`: the signature of a value; for `v` the values are without their variants.
    case dictionary(of: String, [String: BusValue])
    case variant(BusValue)

    /// `as`
    public static func strings(_ texts: [String]) -> BusValue { .array(of: "s", texts.map { .string($0) }) }

    /// `a{sv}`
    public static func properties(_ values: [String: BusValue]) -> BusValue { .dictionary(of: "v", values) }

    public var signature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .descriptor: "h"
        case .array(let element, _): "a\(element)"
        case .structure(let members): "(\(members.map(\.signature).joined()))"
        case .dictionary(let value, _): "a{s\(value)}"
        case .variant: "v"
        }
    }

    /// What a variant contains, or the value itself.
    public var unwrapped: BusValue { if case .variant(let value) = self { value.unwrapped } else { self } }

    public var boolean: Bool? { if case .boolean(let value) = unwrapped { value } else { nil } }

    /// A string or an object's path.
    public var text: String? {
        switch unwrapped {
        case .string(let text), .objectPath(let text): text
        default: nil
        }
    }

    /// A whole number of any width.
    public var number: Int64? {
        switch unwrapped {
        case .byte(let value): Int64(value)
        case .int32(let value): Int64(value)
        case .uint32(let value): Int64(value)
        case .int64(let value): value
        case .uint64(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The elements of an array or the members of a structure; otherwise none.
    public var elements: [BusValue] {
        switch unwrapped {
        case .array(_, let elements), .structure(let elements): elements
        default: []
        }
    }

    public var members: [String: BusValue] { if case .dictionary(_, let members) = unwrapped { members } else { [:] } }
}

/// A file descriptor that came in a message; closed in `deinit`.
public final class BusDescriptor: Sendable, Hashable {
    public let number: Int32

    /// - Parameter borrowed: is copied.
    /// - Returns: `nil` if the process has no descriptor left.
    init?(copying borrowed: Int32) {
        number = fcntl(borrowed, F_DUPFD_CLOEXEC, 3)
        guard number >= 0 else { return nil }
    }

    deinit { close(number) }

    public static func == (left: BusDescriptor, right: BusDescriptor) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
