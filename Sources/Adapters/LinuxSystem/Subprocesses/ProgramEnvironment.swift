import Foundation
import Glibc

/// Strings as C expects a program's arguments and environment.
public enum CStrings {
    public static func with<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
    ) rethrows -> Result {
        // Safe: each copy is freed here, after the only use of it.
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return try body(copies + [nil])
    }
}

/// What an environment gives a program to work with.
public enum ProgramEnvironment {
    /// - Parameter searchPath: as `PATH`. Relative folders are skipped: they depend on the current directory.
    /// - Returns: the path of the first file of that name that can be executed.
    public static func find(_ name: String, in searchPath: String) -> String? {
        searchPath.split(separator: ":").lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
            .first(where: isExecutable)
    }

    public static func isExecutable(_ path: String) -> Bool {
        access(path, X_OK) == 0 && (try? FileMetadata(path: path))?.isRegularFile == true
    }
}

/// The users of this machine.
public enum UserNames {
    /// - Returns: `nil` for an unknown name.
    public static func number(of name: String) -> UInt32? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        // For the entry's strings, which are not read.
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return entry.pw_uid
    }

    /// May block, where names come from another machine.
    ///
    /// - Returns: `nil` for an unknown number.
    public static func name(of number: UInt32) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(number, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name
        else { return nil }
        // The buffer holds the name.
        return withExtendedLifetime(buffer) { String(cString: name) }
    }
}
