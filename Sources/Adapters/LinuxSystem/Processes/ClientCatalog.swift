import Authorization

/// The clients of this machine as they were found at one moment, and what could not be used.
public struct ClientCatalog: Sendable {
    /// In order of precedence: built in, system, user.
    public let clients: [RegisteredClient]
    /// Path → why the file or folder there is not used, as a sentence.
    public let problems: [String: String]

    /// The client a caller is. Files are compared by device and inode, so that neither a name nor a link can pretend.
    ///
    /// - Returns: the first registered client whose manifest speaks for the caller; else an unregistered one.
    public func client(for caller: Caller) -> Client {
        for registered in clients where registered.manifest.speaks(for: caller) {
            return Client(manifest: registered.manifest)
        }
        return Client(unregisteredExecutable: caller.executable.name)
    }
}
