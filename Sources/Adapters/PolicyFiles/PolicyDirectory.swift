import Authorization
import CLinux
import Foundation
import Glibc
import LinuxSystem
import Synchronization

/// The administrator's policy: all `*.yaml` files of a folder, and their changes as they happen.
///
/// A missing folder means no policy; it is noticed when it appears. Files that are links count by their target, whose
/// changes are seen only when something changes in the folder itself.
public final class PolicyDirectory: Sendable {
    public static let systemFolder = "/etc/voicegate/policy.d"

    private let folder: String
    private let reader: Mutex<PolicyReader>

    /// - Parameters:
    ///   - trustedUser: besides root, the user whose files raise no complaint.
    ///   - timeZone: the one whose clocks the rules' hours are about.
    public init(
        folder: String = PolicyDirectory.systemFolder, trustedUser: UInt32 = geteuid(),
        timeZone: @escaping @Sendable () -> TimeZone = { MachineTimeZone.current() }
    ) {
        self.folder = folder
        reader = Mutex(PolicyReader(folder: folder, trustedUser: trustedUser, timeZone: timeZone))
    }

    /// Reads the folder now. Blocks for as long as a few small files take.
    public func read() -> PolicySnapshot { reader.withLock { $0.read() } }

    /// The policy now and after each change, each different from the one before. Ends when nobody reads it any more.
    ///
    /// A thread of its own waits for the kernel's word (inotify(7)).
    public func snapshots() throws(PolicyFileError) -> AsyncStream<PolicySnapshot> {
        let watch: FolderWatch
        do {
            watch = try FolderWatch(folders: [folder])
        } catch {
            throw PolicyFileError(code: .notWatched, message: "The policy folder: \(error.reason).")
        }
        let (stream, continuation) = AsyncStream.makeStream(
            of: PolicySnapshot.self, bufferingPolicy: .bufferingNewest(64))
        continuation.onTermination = { _ in watch.stop() }
        let thread = Thread { [self] in
            var last: PolicySnapshot?
            repeat {
                let snapshot = read()
                if snapshot != last { continuation.yield(snapshot) }
                last = snapshot
            } while watch.waitForChange()
            continuation.finish()
        }
        thread.name = "voicegate-policy"
        thread.start()
        return stream
    }
}
