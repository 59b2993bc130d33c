import CSystemBus
import Glibc

/// One message of sd-bus; released in `deinit`.
final class BusMessage {
    let pointer: OpaquePointer

    /// - Parameter pointer: with a reference, which this takes.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { sd_bus_message_unref(pointer) }

    /// A call with its arguments.
    init(_ call: BusCall, on bus: OpaquePointer) throws(BusError) {
        var message: OpaquePointer?
        let number = sd_bus_message_new_method_call(
            bus, &message, call.destination, call.path, call.interface, call.member)
        guard number >= 0, let message else { throw BusError(.invalid, number) }
        pointer = message
        sd_bus_message_set_auto_start(message, call.startsService ? 1 : 0)
        sd_bus_message_set_allow_interactive_authorization(message, 0)
        for argument in call.arguments { try append(argument) }
    }

    private func append(_ value: BusValue) throws(BusError) {
        switch value {
        case .byte(let value): try append("y", value)
        case .boolean(let value): try append("b", value ? 1 as Int32 : 0)
        case .int32(let value): try append("i", value)
        case .uint32(let value): try append("u", value)
        case .int64(let value): try append("x", value)
        case .uint64(let value): try append("t", value)
        case .double(let value): try append("d", value)
        case .descriptor(let value): try append("h", value.number)
        case .string(let text): try append("s", text: text)
        case .objectPath(let text): try append("o", text: text)
        case .array(let element, let elements):
            try append("a", containing: element) { () throws(BusError) in
                for element in elements { try append(element) }
            }
        case .structure(let members):
            try append("r", containing: members.map(\.signature).joined()) { () throws(BusError) in
                for member in members { try append(member) }
            }
        case .dictionary(let type, let members):
            try append("a", containing: "{s\(type)}") { () throws(BusError) in
                for (key, member) in members.sorted(by: { $0.key < $1.key }) {
                    try append("e", containing: "s\(type)") { () throws(BusError) in
                        try append("s", text: key)
                        try append(type == "v" ? .variant(member.unwrapped) : member)
                    }
                }
            }
        case .variant(let value):
            try append("v", containing: value.signature) { () throws(BusError) in try append(value) }
        }
    }

    private func append(_ type: Unicode.Scalar, _ value: some BitwiseCopyable) throws(BusError) {
        let number = withUnsafePointer(to: value) {
            sd_bus_message_append_basic(pointer, CChar(type.value), $0)
        }
        guard number >= 0 else { throw BusError(.invalid, number) }
    }

    private func append(_ type: Unicode.Scalar, text: String) throws(BusError) {
        // C would cut the text there.
        guard !text.utf8.contains(0) else { throw BusError(.invalid, "A text contains a NUL.") }
        let number = text.withCString { sd_bus_message_append_basic(pointer, CChar(type.value), $0) }
        guard number >= 0 else { throw BusError(.invalid, number) }
    }

    private func append(
        _ type: Unicode.Scalar, containing contents: String, _ body: () throws(BusError) -> Void
    ) throws(BusError) {
        let number = sd_bus_message_open_container(pointer, CChar(type.value), contents)
        guard number >= 0 else { throw BusError(.invalid, number) }
        try body()
        let end = sd_bus_message_close_container(pointer)
        guard end >= 0 else { throw BusError(.invalid, end) }
    }
}

/// Reads the values of a message within `BusLimits`.
struct BusReader {
    private let message: OpaquePointer
    private var values = 0
    private var bytes = 0

    private init(_ message: OpaquePointer) { self.message = message }

    static func values(of message: OpaquePointer) throws(BusError) -> [BusValue] {
        var reader = BusReader(message)
        return try reader.rest(depth: 0)
    }

    /// All values to the end of the container.
    private mutating func rest(depth: Int) throws(BusError) -> [BusValue] {
        var values: [BusValue] = []
        while let value = try next(depth: depth) { values.append(value) }
        return values
    }

    private mutating func next(depth: Int) throws(BusError) -> BusValue? {
        guard let (type, contents) = try peek() else { return nil }
        values += 1
        guard values <= BusLimits.values, depth <= BusLimits.depth else {
            throw BusError(.unreadable, "A message has too many values.")
        }
        switch type {
        case "y": return .byte(try read(type, 0 as UInt8))
        case "b": return .boolean(try read(type, 0 as Int32) != 0)
        case "n": return .int32(Int32(try read(type, 0 as Int16)))
        case "q": return .uint32(UInt32(try read(type, 0 as UInt16)))
        case "i": return .int32(try read(type, 0))
        case "u": return .uint32(try read(type, 0))
        case "x": return .int64(try read(type, 0))
        case "t": return .uint64(try read(type, 0))
        case "d": return .double(try read(type, 0))
        case "s", "g": return .string(try text(type))
        case "o": return .objectPath(try text(type))
        case "h":
            guard let descriptor = BusDescriptor(copying: try read(type, -1 as Int32)) else {
                throw BusError(.unreadable, -errno)
            }
            return .descriptor(descriptor)
        case "v":
            return .variant(
                try inside(type, contents) { (reader) throws(BusError) in
                    guard let value = try reader.next(depth: depth + 1) else {
                        throw BusError(.unreadable, "A variant is empty.")
                    }
                    return value
                })
        case "r":
            return .structure(
                try inside(type, contents) { (reader) throws(BusError) in try reader.rest(depth: depth + 1) })
        case "a" where contents.hasPrefix("{"): return try dictionary(contents, depth)
        case "a":
            return .array(
                of: contents,
                try inside(type, contents) { (reader) throws(BusError) in try reader.rest(depth: depth + 1) })
        default: throw BusError(.unreadable, "A message has a value of the type “\(type)”.")
        }
    }

    /// Keys of a type other than a string are skipped with their values.
    private mutating func dictionary(_ contents: String, _ depth: Int) throws(BusError) -> BusValue {
        let entry = String(contents.dropFirst().dropLast())
        let type = String(entry.dropFirst())
        let members = try inside("a", contents) { (reader) throws(BusError) in
            var members: [String: BusValue] = [:]
            while try reader.peek() != nil {
                try reader.inside("e", entry) { (reader) throws(BusError) in
                    let key = try reader.next(depth: depth + 1)
                    let value = try reader.next(depth: depth + 1)
                    if let key = key?.text, let value { members[key] = type == "v" ? value.unwrapped : value }
                }
            }
            return members
        }
        return .dictionary(of: type, members)
    }

    /// - Returns: the type and what a container contains; `nil` at the end.
    private func peek() throws(BusError) -> (Unicode.Scalar, String)? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        let number = sd_bus_message_peek_type(message, &type, &contents)
        guard number >= 0 else { throw BusError(.unreadable, number) }
        guard number > 0 else { return nil }
        return (Unicode.Scalar(UInt8(bitPattern: type)), contents.map { String(cString: $0) } ?? "")
    }

    private mutating func inside<Value>(
        _ type: Unicode.Scalar, _ contents: String, _ body: (inout BusReader) throws(BusError) -> Value
    ) throws(BusError) -> Value {
        let number = sd_bus_message_enter_container(message, CChar(type.value), contents)
        guard number > 0 else { throw BusError(.unreadable, number) }
        let value = try body(&self)
        let end = sd_bus_message_exit_container(message)
        guard end >= 0 else { throw BusError(.unreadable, end) }
        return value
    }

    private func read<Value: BitwiseCopyable>(_ type: Unicode.Scalar, _ initial: Value) throws(BusError) -> Value {
        var value = initial
        let number = sd_bus_message_read_basic(message, CChar(type.value), &value)
        guard number > 0 else { throw BusError(.unreadable, number) }
        return value
    }

    /// sd-bus has checked that it is UTF-8.
    private mutating func text(_ type: Unicode.Scalar) throws(BusError) -> String {
        var text: UnsafePointer<CChar>?
        let number = sd_bus_message_read_basic(message, CChar(type.value), &text)
        guard number > 0, let text else { throw BusError(.unreadable, number) }
        bytes += strlen(text)
        guard bytes <= BusLimits.bytes else { throw BusError(.unreadable, "A message has too much text.") }
        return String(cString: text)
    }
}
