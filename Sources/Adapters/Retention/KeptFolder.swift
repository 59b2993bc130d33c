import Foundation
import Glibc
import LinuxSystem

/// The encrypted files, each under its item's identifier, in the folder `kept` of the state directory: mode 0700, files 0600,
/// nothing through a link. Blocking calls run on a separate queue.
public final class KeptFolder: Sendable {
    private let path: String
    private let descriptor: OwnedDescriptor
    fileprivate let queue = BlockingQueues(label: "io.voicegate.kept", width: 4)

    /// Makes the folder if it is absent. Blocks; call it before the service serves.
    ///
    /// - Throws: `RetentionError`: `unusable`, or the system's error.
    public init(stateDirectory: String) throws(RetentionError) {
        path = stateDirectory + "/kept"
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw RetentionError(errno: errno, doing: "make", path: path) }
        let opened = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { throw RetentionError(errno: errno, doing: "open", path: path) }
        descriptor = OwnedDescriptor(owning: opened)
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_uid == geteuid(), fchmod(opened, 0o700) == 0 else {
            throw RetentionError(
                code: .unusable, message: "\(path) is not the service's own folder. Remove it and start again.")
        }
    }

    /// Makes a file that is not there yet.
    func create(_ name: String) async throws -> KeptFile {
        try await queue.run {
            let file = openat(
                self.descriptor.rawValue, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw RetentionError(errno: errno, doing: "make", path: self.path + "/" + name) }
            return KeptFile(OwnedDescriptor(owning: file), name: name, folder: self)
        }
    }

    func open(_ name: String) async throws -> KeptFile {
        try await queue.run {
            let file = openat(self.descriptor.rawValue, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else {
                guard errno == ENOENT || errno == ELOOP else {
                    throw RetentionError(errno: errno, doing: "open", path: self.path + "/" + name)
                }
                throw RetentionError(
                    code: .damaged,
                    message: "The file of \(name) is missing. Erase its entry: voicegate history erase \(name)")
            }
            return KeptFile(OwnedDescriptor(owning: file), name: name, folder: self)
        }
    }

    /// Removes files, durably; ignores absent ones.
    func remove(_ names: [String]) async throws {
        guard !names.isEmpty else { return }
        try await queue.run {
            for name in names where unlinkat(self.descriptor.rawValue, name, 0) != 0 && errno != ENOENT {
                throw RetentionError(errno: errno, doing: "remove", path: self.path + "/" + name)
            }
            try self.sync()
        }
    }

    func names() async throws -> [String] {
        let path = path
        return try await queue.run { try FileManager.default.contentsOfDirectory(atPath: path) }
    }

    /// Where a file is, as a person can find it.
    func location(of name: String) -> String { path + "/" + name }

    /// Makes names durable; blocks.
    func sync() throws(RetentionError) {
        guard fsync(descriptor.rawValue) == 0 else { throw RetentionError(errno: errno, doing: "sync", path: path) }
    }
}

/// An open file of the folder, for one writer or one reader whose calls follow one another.
final class KeptFile: Sendable {
    private let descriptor: OwnedDescriptor
    private let name: String
    private let folder: KeptFolder

    init(_ descriptor: consuming OwnedDescriptor, name: String, folder: KeptFolder) {
        self.descriptor = descriptor
        self.name = name
        self.folder = folder
    }

    func write(_ bytes: Data) async throws {
        try await folder.queue.run {
            guard DescriptorBytes.write(bytes, to: self.descriptor.rawValue) else {
                throw RetentionError(errno: errno, doing: "write", path: self.name)
            }
        }
    }

    /// Returns when the file and its name are durable.
    func sync() async throws {
        try await folder.queue.run {
            guard fsync(self.descriptor.rawValue) == 0 else {
                throw RetentionError(errno: errno, doing: "sync", path: self.name)
            }
            try self.folder.sync()
        }
    }

    /// The next bytes, as many as were asked for unless the file ends.
    func read(_ count: Int) async throws -> Data {
        try await folder.queue.run {
            guard let bytes = DescriptorBytes.read(count, from: self.descriptor.rawValue) else {
                throw RetentionError(errno: errno, doing: "read", path: self.name)
            }
            return bytes
        }
    }
}

extension RetentionError {
    /// Translates `errno` after a call that was to do something with a path.
    init(errno number: Int32, doing action: String, path: String) {
        let code: Code =
            switch number {
            case ENOSPC, EDQUOT: .full
            case ELOOP, ENOTDIR, EACCES, EPERM: .unusable
            default: .inputOutput
            }
        self.init(
            code: code,
            message:
                "Could not \(action) \(path): \(String(cString: strerror(number))). Free some room or put the folder "
                + "of kept data right.")
    }
}
