import Foundation
import Server

/// Reads a `multipart/form-data` body (RFC 7578; RFC 2046, section 5.1.1) as it comes. It returns a part's bytes in pieces,
/// and bounds everything else before it is parsed.
///
/// For one reader at a time: call `nextPart`, then `nextPiece` until `nil`, and repeat.
final class MultipartReader<Source: AsyncIteratorProtocol> where Source.Element == [UInt8] {
    private enum Place {
        case preamble, head, content, over
    }

    private var source: Source
    private let delimiter: [UInt8]
    private var place = Place.preamble
    private var parts = 0
    /// Bytes not returned yet. Begins with a line break, so that the first delimiter is like all others.
    private var buffer: [UInt8] = [0x0D, 0x0A]
    private var position = 0

    /// - Parameter boundary: 1 to 70 bytes.
    init(_ source: Source, boundary: String) {
        self.source = source
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// The head of the next part, or `nil` after the last one; the rest of the body is read then.
    func nextPart() async throws -> PartHead? {
        if place == .content { while try await nextPiece() != nil {} }
        if place == .preamble { try await skipPreamble() }
        guard place == .head else { return nil }
        guard try await !isLastDelimiter() else {
            place = .over
            try await skipEpilogue()
            return nil
        }
        parts += 1
        guard parts <= MultipartBounds.parts else {
            throw RouteError(.tooLarge, "A form may have at most \(MultipartBounds.parts) parts.")
        }
        let head = try PartHead(lines: try await headLines())
        place = .content
        return head
    }

    /// More bytes of the part, or `nil` at its end.
    ///
    /// - Throws: `RouteError` if the body ends in the middle, and what the source throws.
    func nextPiece() async throws -> [UInt8]? {
        guard place == .content else { return nil }
        while true {
            if let start = delimiterStart() {
                if start > position { return take(upTo: start) }
                position += delimiter.count
                place = .head
                return nil
            }
            let certain = buffer.count - delimiter.count + 1
            if certain > position { return take(upTo: certain) }
            guard try await readMore() else { throw Self.cutOff }
        }
    }

    private func skipPreamble() async throws {
        place = .content
        var skipped = 0
        while let piece = try await nextPiece() {
            skipped += piece.count
            guard skipped <= MultipartBounds.preamble else {
                throw RouteError(.badRequest, "The form's first boundary is missing.")
            }
        }
    }

    /// Reads the rest of a delimiter's line (RFC 2046 allows spaces there).
    private func isLastDelimiter() async throws -> Bool {
        while buffer.count - position < 2 { guard try await readMore() else { throw Self.cutOff } }
        if buffer[position] == UInt8(ascii: "-"), buffer[position + 1] == UInt8(ascii: "-") {
            position += 2
            return true
        }
        let rest = try await line()
        guard rest.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else {
            throw RouteError(.badRequest, "A boundary of the form is followed by something else on its line.")
        }
        return false
    }

    private func headLines() async throws -> [String] {
        var lines: [String] = []
        while true {
            let bytes = try await line()
            if bytes.isEmpty { return lines }
            guard lines.count < MultipartBounds.headLines else {
                throw RouteError(.tooLarge, "A part's head may have at most \(MultipartBounds.headLines) lines.")
            }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw RouteError(.badRequest, "A part's head is not UTF-8.")
            }
            lines.append(text)
        }
    }

    private func line() async throws -> [UInt8] {
        while true {
            if let end = first(0x0A, from: position) {
                guard end > position, buffer[end - 1] == 0x0D else {
                    throw RouteError(.badRequest, "A line of a part's head does not end with CR LF.")
                }
                defer { position = end + 1 }
                return Array(buffer[position..<(end - 1)])
            }
            guard buffer.count - position <= MultipartBounds.line else {
                throw RouteError(
                    .tooLarge, "A line of a part's head may have at most \(MultipartBounds.line) bytes.")
            }
            guard try await readMore() else { throw Self.cutOff }
        }
    }

    private func skipEpilogue() async throws {
        var skipped = buffer.count - position
        (buffer, position) = ([], 0)
        while try await readMore() {
            skipped += buffer.count
            (buffer, position) = ([], 0)
            guard skipped <= MultipartBounds.preamble else {
                throw RouteError(.badRequest, "Something follows the form's last boundary.")
            }
        }
    }

    private func take(upTo end: Int) -> [UInt8] {
        defer { position = end }
        return Array(buffer[position..<end])
    }

    private func delimiterStart() -> Int? {
        var from = position
        while let start = first(0x0D, from: from), start + delimiter.count <= buffer.count {
            if buffer[start..<(start + delimiter.count)].elementsEqual(delimiter) { return start }
            from = start + 1
        }
        return nil
    }

    private func first(_ byte: UInt8, from start: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard start < bytes.count, let base = bytes.baseAddress else { return nil }
            // The pointer stays within the buffer and this closure. A loop over bytes would be the slowest part of an upload.
            return memchr(base + start, Int32(byte), bytes.count - start).map { UnsafeRawPointer($0) - base }
        }
    }

    /// - Returns: `false` at the body's end.
    private func readMore() async throws -> Bool {
        // Copied out and back: an access must not last over a suspension.
        var reading = source
        defer { source = reading }
        guard let piece = try await reading.next() else { return false }
        buffer.removeSubrange(..<position)
        position = 0
        buffer += piece
        return true
    }

    private static var cutOff: RouteError {
        RouteError(.badRequest, "The form ends before its last boundary. Send it completely.")
    }
}

enum MultipartBounds {
    /// Bytes of a boundary (RFC 2046, section 5.1.1).
    static let boundary = 70
    static let parts = 64
    static let headLines = 16
    static let line = 4096
    /// Bytes before the first and after the last boundary.
    static let preamble = 4096
    /// Bytes of a field that is not a file.
    static let field = 64 << 10
}

struct PartHead: Equatable {
    let name: String
    let fileName: String?

    /// - Parameter lines: of the part's head, without line breaks.
    init(lines: [String]) throws(RouteError) {
        var disposition: MediaType?
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else {
                throw RouteError(.badRequest, "A line of a part's head is not a header.")
            }
            let value = String(line[line.index(after: colon)...])
            switch line[..<colon].lowercased() {
            case "content-disposition":
                guard disposition == nil else {
                    throw RouteError(.badRequest, "A part of the form has two dispositions.")
                }
                disposition = MediaType(value)
            case "content-transfer-encoding":
                // Deprecated by RFC 7578, section 4.7; these three mean no encoding.
                guard ["binary", "8bit", "7bit"].contains(MediaType(value)?.value) else {
                    throw RouteError(.badRequest, "A part of the form is encoded. Send it without encoding.")
                }
            default:
                break
            }
        }
        guard let disposition, disposition.value == "form-data", let name = disposition.parameters["name"] else {
            throw RouteError(.badRequest, "A part of the form has no name.")
        }
        self.name = name
        fileName = disposition.parameters["filename"]
    }
}

/// A header's value with parameters: `form-data; name="file"` (RFC 9110, section 5.6.6).
struct MediaType: Equatable {
    /// In lower case.
    let value: String
    /// By their names in lower case.
    let parameters: [String: String]

    /// `nil` if it is malformed or has a parameter twice.
    init?(_ text: String) {
        var rest = Substring(text)
        guard let value = Self.word(&rest, until: ";") else { return nil }
        self.value = value.lowercased()
        var parameters: [String: String] = [:]
        while rest.popFirst() == ";" {
            guard let name = Self.word(&rest, until: "=;") else {
                // Nothing between two semicolons or after the last one.
                if rest.first == "=" { return nil }
                continue
            }
            guard rest.popFirst() == "=", let value = Self.parameter(&rest),
                parameters.updateValue(value, forKey: name.lowercased()) == nil
            else { return nil }
        }
        guard rest.isEmpty else { return nil }
        self.parameters = parameters
    }

    /// The boundary of a form; `nil` if there is none or RFC 2046, section 5.1.1 does not allow it.
    var boundary: String? {
        guard let boundary = parameters["boundary"], (1...MultipartBounds.boundary).contains(boundary.utf8.count),
            boundary.last != " ", boundary.allSatisfy({ Self.boundaryCharacters.contains($0) })
        else { return nil }
        return boundary
    }

    private static let boundaryCharacters = Set(
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'()+_,-./:=? ")

    private static func word(_ rest: inout Substring, until ends: String) -> String? {
        let word = rest.prefix { !ends.contains($0) }
        rest = rest[word.endIndex...]
        let trimmed = word.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
        return trimmed.isEmpty ? nil : trimmed
    }

    private static func parameter(_ rest: inout Substring) -> String? {
        rest = rest.drop { $0 == " " || $0 == "\t" }
        guard rest.first == "\"" else { return word(&rest, until: ";") }
        rest.removeFirst()
        var value = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"":
                rest = rest.drop { $0 == " " || $0 == "\t" }
                return rest.first == nil || rest.first == ";" ? value : nil
            case "\\":
                // Browsers send Windows file names with single backslashes; only these two characters are escaped.
                if rest.first == "\"" || rest.first == "\\" { value.append(rest.removeFirst()) } else { value += "\\" }
            default:
                value.append(character)
            }
        }
        return nil
    }
}
