import Foundation
import Glibc

/// A list of the kernel's in proc, as long as the kernel makes it.
enum KernelTable {
    /// - Returns: `nil` when it cannot be read.
    static func text(_ path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let data = try? file.readToEnd() ?? Data() else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}

/// A setting of the running kernel (sysctl(8)).
enum KernelSetting {
    /// - Parameter name: such as `kernel.ostype`.
    /// - Returns: without its line end; `nil` where this kernel has no such setting.
    static func value(of name: String) -> String? {
        let path = "/proc/sys/" + String(name.map { $0 == "." ? "/" : $0 })
        guard let file = try? RegularFile(path: path, limit: 4096) else { return nil }
        return String(decoding: file.data, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }
}

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

/// A path as the kernel would write it.
enum RealPath {
    /// - Returns: absolute and without links; `nil` and `errno` where it leads nowhere.
    static func of(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

enum Hexadecimal {
    /// Lower-case. By a table: formatting by `String(format:)` costs 50 µs for a digest.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
