import Foundation

/// A line of the list of files, as `sha256sum` writes it: 64 lower-case hexadecimal digits, two spaces, the path.
struct BundleSum {
    /// 32 bytes.
    let digest: Data
    let path: String

    /// - Parameter line: without its end.
    /// - Returns: `nil` when it is no such line.
    init?(line: Data) {
        guard line.count > 66, line.dropFirst(64).prefix(2).elementsEqual("  ".utf8),
            let digest = Self.digest(of: line.prefix(64)),
            let path = String(validating: line.dropFirst(66), as: UTF8.self)
        else { return nil }
        self.digest = digest
        self.path = path
    }

    /// - Returns: `nil` unless there are 64 lower-case hexadecimal digits.
    static func digest(of text: some Collection<UInt8>) -> Data? {
        let digits = text.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        guard digits.count == 64, text.count == 64 else { return nil }
        return Data(stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
}
