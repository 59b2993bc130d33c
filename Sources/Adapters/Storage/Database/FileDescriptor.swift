import Foundation

/// Owns one open file of the process and closes it.
final class FileDescriptor: Sendable {
    let rawValue: Int32

    init(_ rawValue: Int32) { self.rawValue = rawValue }

    deinit { close(rawValue) }
}
