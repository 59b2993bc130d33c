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

/// The policy in force at one moment, and where it came from.
public struct PolicySnapshot: Sendable, Hashable {
    public let policy: Policy
    public let provenance: PolicyProvenance

    public init(policy: Policy, provenance: PolicyProvenance) {
        self.policy = policy
        self.provenance = provenance
    }

    /// The same rules by other clocks on the wall.
    public func inTimeZone(_ timeZone: TimeZone) -> PolicySnapshot {
        PolicySnapshot(policy: Policy(rules: policy.rules, timeZone: timeZone), provenance: provenance)
    }
}

/// The time zone of the machine's clock on the wall, looked up anew each time: a service runs for weeks, and a machine
/// travels. `TimeZone.current` keeps what it found first.
public enum MachineTimeZone {
    /// - Parameter link: the symbolic link that names the zone (localtime(5)).
    public static func current(
        environment: [String: String] = ProcessInfo.processInfo.environment, link: String = "/etc/localtime"
    ) -> TimeZone {
        if let name = environment["TZ"], !name.isEmpty {
            return TimeZone(identifier: name.hasPrefix(":") ? String(name.dropFirst()) : name) ?? .current
        }
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
            let name = target.firstRange(of: "zoneinfo/").map({ String(target[$0.upperBound...]) })
        else { return .current }
        return TimeZone(identifier: name) ?? .current
    }
}

/// Why a policy file cannot be used.
public struct PolicyFileError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case unreadable
        case notYAML
        /// More or deeper than a policy needs, or with anchors.
        case tooComplex
        /// A key that no rule has; it may be a misspelt one.
        case unknownKey
        /// A key by which somebody meant to allow something.
        case grants
        case missingKey
        case wrongType
        case invalidValue
        /// The kernel does not let us watch the folder.
        case notWatched
    }

    public let code: Code
    /// In the file, from 1, where known.
    public let line: Int?
    /// A sentence that says what is wrong and what to do.
    public let message: String

    public init(code: Code, line: Int? = nil, message: String) {
        self.code = code
        self.line = line
        self.message = message
    }

    public var description: String { line.map { "Line \($0): \(message)" } ?? message }
}
