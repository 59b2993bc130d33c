import Foundation
import Glibc

extension RegularFile {
    /// The text of a table in proc, which is as long as the kernel makes it; `nil` when it cannot be read.
    static func table(_ path: String) -> String? { text(path, limit: .max - 1) }
}

/// A setting of the running kernel (sysctl(8)).
enum KernelSetting {
    /// - Parameter name: such as `kernel.ostype`.
    /// - Returns: without its line end; `nil` if this kernel has no such setting.
    static func value(of name: String) -> String? {
        let path = "/proc/sys/" + String(name.map { $0 == "." ? "/" : $0 })
        return RegularFile.text(path, limit: 4096)?.split(separator: "\n").first.map(String.init)
    }
}

/// The target of a symbolic link.
enum LinkTarget {
    /// - Parameter folder: what a relative path begins at; an empty one is the link that this descriptor refers to.
    /// - Returns: `nil` when it cannot be read or is not UTF-8: with replaced bytes it would name another file.
    static func of(_ link: String, in folder: Int32 = AT_FDCWD) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = buffer.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return -1 }
            return readlinkat(folder, link, start.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        return length > 0 ? String(validating: buffer[..<length], as: UTF8.self) : nil
    }
}

/// A path as the kernel writes it.
enum RealPath {
    /// - Returns: absolute and without links; `nil` and `errno` if it does not exist.
    static func of(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
