import Foundation

/// A new empty folder that goes away with its last reference.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        path = NSTemporaryDirectory() + "voicegate-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, and the folders on the way to it.
    ///
    /// - Returns: its path.
    @discardableResult
    public func write(_ contents: Data, to name: String, permissions: Int = 0o644) throws -> String {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        try contents.write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file)
        return file
    }

    @discardableResult
    public func write(_ text: String, to name: String, permissions: Int = 0o644) throws -> String {
        try write(Data(text.utf8), to: name, permissions: permissions)
    }
}
