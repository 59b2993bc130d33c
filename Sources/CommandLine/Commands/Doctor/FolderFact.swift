import Foundation

/// A folder as it is found. Reading it follows no symbolic link.
struct FolderFact: Sendable, Hashable {
    let path: String
    let isThere: Bool
    let isFolder: Bool
    let owner: UInt32
    /// Permission bits.
    let mode: UInt32

    init(path: String, isThere: Bool = true, isFolder: Bool = true, owner: UInt32, mode: UInt32) {
        self.path = path
        self.isThere = isThere
        self.isFolder = isFolder
        self.owner = owner
        self.mode = mode
    }

    init(path: String) {
        var status = stat()
        let isThere = lstat(path, &status) == 0
        self.init(
            path: path, isThere: isThere, isFolder: isThere && status.st_mode & S_IFMT == S_IFDIR,
            owner: status.st_uid, mode: UInt32(status.st_mode) & 0o7777)
    }

    /// - Returns: what is wrong with a folder that only this user may look into, with the next step; `nil` when it is so.
    func problem(for user: UInt32) -> (message: String, nextStep: String)? {
        if !isFolder { return ("\(path) is not a folder.", "Remove it; the service makes the folder anew.") }
        if owner != user {
            return ("\(path) belongs to user \(owner), not to you.", "As root: chown \(user) '\(path)'")
        }
        guard mode & 0o077 == 0 else {
            return (
                "\(path) is open to others (mode \(String(mode & 0o777, radix: 8))).", "chmod 700 '\(path)'"
            )
        }
        return nil
    }
}
