import Glibc

/// A path as the kernel would write it.
enum RealPath {
    /// - Returns: absolute and without links; `nil` and `errno` where it leads nowhere.
    static func of(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
