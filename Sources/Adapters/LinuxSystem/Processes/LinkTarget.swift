import Glibc

/// What a symbolic link holds.
enum LinkTarget {
    /// - Returns: `nil` when it cannot be read.
    static func of(_ link: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = buffer.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return -1 }
            return readlink(link, start.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        return length > 0 ? String(decoding: buffer[..<length], as: UTF8.self) : nil
    }
}
