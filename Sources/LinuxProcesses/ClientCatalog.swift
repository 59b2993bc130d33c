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
        for registered in clients {
            guard let file = try? FileMetadata(path: registered.manifest.executablePath), file.isRegularFile,
                file.device == executable.device, file.inode == executable.inode
            else { continue }
            return Client(manifest: registered.manifest)
        }
        return Client(unregisteredExecutable: executable.name)
    }
}
