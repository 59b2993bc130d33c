import Authorization
import SystemFiles

/// The clients of this machine as they were found at one moment, and what could not be used.
public struct ClientCatalog: Sendable {
    /// In order of precedence: built in, system, user.
    public let clients: [RegisteredClient]
    /// Path → why the file or folder there is not used, as a sentence.
    public let problems: [String: String]

    /// The client a program is. Decided by device and inode, so that neither a name nor a link can pretend.
    ///
    /// - Returns: the first registered client whose `CFBundleExecutable` is this very file; else an unregistered one.
    public func client(for executable: Executable) -> Client {
        for registered in clients where Self.speaks(registered.manifest, for: executable) {
            return Client(manifest: registered.manifest)
        }
        return Client(unregisteredExecutable: executable.name)
    }

    /// Whether the path in the manifest leads to this very file now. One system call.
    public static func speaks(_ manifest: Manifest, for executable: Executable) -> Bool {
        guard let file = try? FileMetadata(path: manifest.executablePath), file.isRegularFile else { return false }
        return file.device == executable.device && file.inode == executable.inode
    }
}
