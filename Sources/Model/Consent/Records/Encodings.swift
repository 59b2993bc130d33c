import Foundation

/// Base64 with the alphabet of URLs and without padding (RFC 4648, section 5).
enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Writes the text's UTF-8.
    static func append(_ bytes: some Sequence<UInt8>, to text: inout [UInt8]) {
        var held: UInt32 = 0
        var bits = 0
        for byte in bytes {
            held = held << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(held >> UInt32(bits) & 63)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(held << UInt32(6 - bits) & 63)]) }
    }

    /// Whether the text is that of the bytes; it must be as long.
    static func isText(_ text: UnsafeRawBufferPointer, of bytes: UnsafeRawBufferPointer) -> Bool {
        var held: UInt32 = 0
        var bits: UInt32 = 0
        var place = 0
        return alphabet.withUnsafeBufferPointer { alphabet in
            for byte in bytes {
                held = held << 8 | UInt32(byte)
                bits += 8
                while bits >= 6 {
                    bits -= 6
                    guard text[place] == alphabet[Int(held >> bits & 63)] else { return false }
                    place += 1
                }
            }
            return bits == 0 || text[place] == alphabet[Int(held << (6 - bits) & 63)]
        }
    }

    /// The six bits of each character; 64: it is not in the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// - Returns: `nil` unless the text is what `encode` writes.
    static func decode(_ text: String) -> Data? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var held: UInt32 = 0
        var bits: UInt32 = 0
        for character in text.utf8 {
            let value = values[Int(character)]
            guard value < 64 else { return nil }
            held = held << 6 | UInt32(value)
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: held >> bits))
        }
        // What is left over of the last byte's characters is zero, and less than a character.
        guard bits < 6, held & (1 << bits - 1) == 0 else { return nil }
        return Data(bytes)
    }
}

/// Base64 with padding (RFC 4648, section 4), in the one way in which bytes are written.
enum StrictBase64 {
    /// - Returns: `nil` unless the text is what encoding the result gives: no white space, no stray bits at its end.
    static func decode(_ text: some Sequence<UInt8>) -> Data? {
        let text = Data(text)
        guard let data = Data(base64Encoded: text), data.base64EncodedData() == text else { return nil }
        return data
    }
}
