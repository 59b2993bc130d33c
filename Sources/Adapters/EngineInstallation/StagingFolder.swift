import Foundation
import Glibc
import LinuxSystem

/// A new folder for the files of one installation, removed with its last reference. One installation at a time uses the folder that
/// it is in, which is locked (flock(2)) until then: what a killed installation left in there is removed by the next one.
public final class StagingFolder: Sendable {
    public let path: String
    private let base: String
    private let lock: Int32

    /// - Parameters:
    ///   - base: nothing else may be in it; made if it is missing.
    ///   - isReadableByAll: for a service that runs as another user.
    /// - Throws: `EngineInstallationError`: `busy`, `inputOutput`.
    public init(in base: String, isReadableByAll: Bool) throws {
        let mode: mode_t = isReadableByAll ? 0o755 : 0o700
        do {
            try FileManager.default.createDirectory(
                atPath: base, withIntermediateDirectories: true, attributes: [.posixPermissions: Int(mode)])
        } catch {
            throw EngineInstallationError.cannotWrite(base, errno)
        }
        let lock = open(base, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard lock >= 0 else { throw EngineInstallationError.cannotWrite(base, errno) }
        let descriptor = OwnedDescriptor(owning: lock)
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw EngineInstallationError(code: .busy, message: "Another installation is running. Wait for its end.")
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: base) {
            try? FileManager.default.removeItem(atPath: base + "/" + name)
        }
        path = base + "/" + UUID().uuidString
        guard mkdir(path, mode) == 0, chmod(path, mode) == 0 else {
            throw EngineInstallationError.cannotWrite(path, errno)
        }
        self.base = base
        self.lock = descriptor.release()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        close(lock)
    }
}
