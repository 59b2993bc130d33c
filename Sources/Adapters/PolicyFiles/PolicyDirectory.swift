import Authorization
import CLinux
import Foundation
import Glibc
import LinuxSystem
import Synchronization

/// The administrator's policy: all `*.yaml` files of a folder, and their changes as they happen.
///
/// Without the folder there is no policy; its creation is noticed. A link counts as its target, whose changes are noticed only
/// with a change in the folder itself.
public final class PolicyDirectory: Sendable {
    public static let systemFolder = "/etc/voicegate/policy.d"

    private let folder: String
    private let reader: Mutex<PolicyReader>

    /// - Parameters:
    ///   - trustedUser: besides root, the user whose files cause no warning.
    ///   - timeZone: of the rules' hours.
    public init(
        folder: String = PolicyDirectory.systemFolder, trustedUser: UInt32 = geteuid(),
        timeZone: @escaping @Sendable () -> TimeZone = { MachineTimeZone.current() }
    ) {
        self.folder = folder
        reader = Mutex(PolicyReader(folder: folder, trustedUser: trustedUser, timeZone: timeZone))
    }

    /// Reads the folder now. Blocks for a few small files.
    public func read() -> PolicySnapshot { reader.withLock { $0.read() } }

    /// The policy now and after each change. Ends with its last reader.
    ///
    /// A separate thread waits for changes (inotify(7)).
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

/// The policy at one moment, and its source.
public struct PolicySnapshot: Sendable, Hashable {
    public let policy: Policy
    public let provenance: PolicyProvenance

    /// The same rules in another time zone.
    public func inTimeZone(_ timeZone: TimeZone) -> PolicySnapshot {
        PolicySnapshot(policy: Policy(rules: policy.rules, timeZone: timeZone), provenance: provenance)
    }
}

/// Why a policy file cannot be used.
public struct PolicyFileError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case unreadable
        case notYAML
        /// Too long or too deep, or with anchors.
        case tooComplex
        /// An unknown key, which may be misspelt.
        case unknownKey
        /// A key that would allow something.
        case grants
        case missingKey
        case wrongType
        case invalidValue
        /// The folder cannot be watched.
        case notWatched
    }

    public let code: Code
    /// In the file, from 1, where known.
    public var line: Int?
    /// A sentence that says what is wrong and what to do.
    public let message: String

    public var description: String { line.map { "Line \($0): \(message)" } ?? message }
}
