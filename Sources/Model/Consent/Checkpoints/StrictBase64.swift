import Foundation

/// Base64 with padding (RFC 4648, section 4), in the one way in which bytes are written.
enum StrictBase64 {
    /// - Returns: `nil` unless the text is what encoding the result gives: no white space, no stray bits at its end.
    static func decode(_ text: some Sequence<UInt8>) -> Data? {
        let text = Data(text)
        guard let data = Data(base64Encoded: text), data.base64EncodedData() == text else { return nil }
        return data
    }
}
