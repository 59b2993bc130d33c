import Foundation

/// A list of strings as C takes it for a program's arguments and environment.
enum CStrings {
    static func with<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
    ) rethrows -> Result {
        // Safe: each copy is freed here, after the only use of it.
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return try body(copies + [nil])
    }
}
