import Foundation

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
