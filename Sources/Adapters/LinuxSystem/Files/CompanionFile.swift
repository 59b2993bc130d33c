import Base
import Cryptography

/// A file that a program keeps beside another, such as a position or a draft.
public enum CompanionFile {
    /// Bytes of a file's name on Linux: `NAME_MAX` of limits.h.
    static let longestName = 255

    /// The path with the suffix. If the name would be too long, the start of its SHA-256 is in its place.
    ///
    /// - Parameters:
    ///   - path: of the other file.
    ///   - reserved: bytes of a suffix that the result may get in turn.
    public static func path(beside path: String, suffix: String, reserving reserved: Int = 0) -> String {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let name = parts.last ?? path.utf8[...]
        guard name.count + suffix.utf8.count + reserved > longestName else { return path + suffix }
        let digest = Hexadecimal.encode(SHA256.hash(data: name).prefix(16))
        return String(path.utf8.dropLast(name.count)).map { $0 + digest + suffix } ?? path + suffix
    }
}
