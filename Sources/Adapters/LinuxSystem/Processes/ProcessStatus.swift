import Authorization
import Base
import CLinux
import Foundation
import Glibc

/// The fields of `/proc/PID/stat` that identify a process and its terminal (proc_pid_stat(5)).
public struct ProcessStatus: Sendable, Hashable {
    public let processIdentifier: Int32
    /// `R`, `S`, `Z`, …
    public let state: Character
    public let parent: Int32
    public let processGroup: Int32
    public let session: Int32
    /// The device number of the controlling terminal; 0: none.
    public let terminal: UInt32
    /// The foreground process group of that terminal; -1: none.
    public let foregroundGroup: Int32
    /// Whether it was forked and has not called `exec` (`PF_FORKNOEXEC`).
    public let hasNotExecuted: Bool
    /// Whether its end has begun: it no longer executes its program (`PF_EXITING`). Of this thread alone.
    public let isExiting: Bool
    /// Clock ticks between boot and the process's start.
    public let startTime: UInt64

    /// Parses the file's text. The second field is the program's name in parentheses. The program chooses it and may include
    /// spaces, parentheses and line ends, so the other fields begin after the *last* closing one.
    ///
    /// - Returns: `nil` when the text has another format.
    public init?(parsing text: String) {
        guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close,
            let identifier = Int32(text[..<open].filter { $0 != " " })
        else { return nil }
        let fields = text[text.index(after: close)...].split(whereSeparator: \.isWhitespace)
        // Field 3 of the manual page is the first one here, field 22 the twentieth.
        guard fields.count >= 20, fields[0].count == 1, let state = fields[0].first, let parent = Int32(fields[1]),
            let group = Int32(fields[2]), let session = Int32(fields[3]), let terminal = Int32(fields[4]),
            let foreground = Int32(fields[5]), let flags = UInt64(fields[6]), let start = UInt64(fields[19])
        else { return nil }
        processIdentifier = identifier
        self.state = state
        self.parent = parent
        processGroup = group
        self.session = session
        self.terminal = UInt32(bitPattern: terminal)
        foregroundGroup = foreground
        hasNotExecuted = flags & 0x40 != 0
        isExiting = flags & 0x4 != 0
        startTime = start
    }

    /// - Parameter root: where proc is mounted; `/proc/PID/task` for a thread.
    public init(of process: Int32, root: String = "/proc") throws(ProcessError) {
        let file: RegularFile
        do {
            file = try RegularFile(path: "\(root)/\(process)/stat", limit: 4096)
        } catch {
            throw error.code == .missing || error.code == .failed
                ? ProcessError.vanished(process)
                : ProcessError(
                    code: .unreadable, message: "The status of process \(process) cannot be read. Mount /proc.")
        }
        // A program's name may have any bytes, which are replaced; the fields after it are ASCII.
        guard let status = ProcessStatus(parsing: String(decoding: file.data, as: UTF8.self)),
            status.processIdentifier == process
        else {
            throw ProcessError(
                code: .failed, message: "The status of process \(process) has an unknown format. Mount /proc.")
        }
        self = status
    }

    /// - Returns: `nil` when the process has ended or cannot be inspected, also if a different process has its identifier now.
    init?(of process: ProcessIdentity, root: String) {
        guard let status = try? ProcessStatus(of: process.processIdentifier, root: root), status.identity == process
        else { return nil }
        self = status
    }

    var identity: ProcessIdentity { ProcessIdentity(processIdentifier: processIdentifier, startTime: startTime) }

    /// Whether it is neither stopped (`T`, `t`) nor ended (`Z`, `X`).
    public var runs: Bool { !["T", "t", "Z", "X", "x"].contains(state) }

    /// Whether no part of the process runs any longer: it has ended, or the end of all its threads has begun. Then the kernel has
    /// removed its namespaces and descriptors, or is about to.
    static func isOver(_ process: ProcessIdentity, root: String) -> Bool {
        let tasks = "\(root)/\(process.processIdentifier)/task"
        guard ProcessStatus(of: process, root: root) != nil,
            let threads = try? Folder.names(in: tasks, limit: NetworkInspector.mostThreads + 1)
        else { return access(tasks, F_OK) != 0 }
        return threads.count <= NetworkInspector.mostThreads
            && threads.compactMap { Int32($0) }.allSatisfy { isExiting(thread: $0, in: tasks) }
    }

    /// - Parameter tasks: `/proc/PID/task`.
    static func isExiting(thread: Int32, in tasks: String) -> Bool {
        guard let status = try? ProcessStatus(of: thread, root: tasks) else {
            return access("\(tasks)/\(thread)", F_OK) != 0
        }
        return status.isExiting || "ZXx".contains(status.state)
    }

    /// Whether it is in the foreground process group of its terminal.
    public var isForegroundJobOfTerminal: Bool {
        terminal != 0 && foregroundGroup > 0 && foregroundGroup == processGroup
    }
}

extension ProcessStatus {
    /// The start time by the current wall clock, nanoseconds since 1970, rounded down to the clock tick.
    var startedAt: Int64 {
        let ticks = UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))
        // Bounded, so that it cannot overflow.
        let start =
            Int64(min(startTime / ticks, 3_000_000_000)) * 1_000_000_000
            + Int64(startTime % ticks) * (1_000_000_000 / Int64(ticks))
        return Self.now(CLOCK_REALTIME) - Self.now(CLOCK_BOOTTIME) + start
    }

    /// The number that `terminal` has for a character device: the minor in bits 31–20 and 7–0, the major in bits 15–8.
    static func terminal(at path: String) -> UInt32? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
        let (major, minor) = (vg_device_major(UInt(status.st_rdev)), vg_device_minor(UInt(status.st_rdev)))
        return (minor & 0xFF) | (major << 8) | ((minor & ~0xFF) << 12)
    }

    private static func now(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// Reads the time since boot with the boot's identifier, and the wall clock.
public struct BootClock: Sendable {
    private let boot: String

    /// - Parameter root: where proc is mounted.
    /// - Throws: `ProcessError` without a boot identifier: grants could not expire correctly.
    public init(root: String = "/proc") throws(ProcessError) {
        let path = root + "/sys/kernel/random/boot_id"
        guard let file = try? RegularFile(path: path, limit: 64), file.data.count >= 36 else {
            throw ProcessError(
                code: .unreadable, message: "\(path) cannot be read. Mount /proc, then start the service again.")
        }
        boot = String(decoding: file.data.prefix(36), as: UTF8.self)
    }

    public func now() -> Moment {
        var sinceBoot = timespec()
        var wall = timespec()
        // Neither call can fail for these clocks (clock_gettime(2)).
        clock_gettime(CLOCK_BOOTTIME, &sinceBoot)
        clock_gettime(CLOCK_REALTIME, &wall)
        return Moment(boot: boot, sinceBoot: Self.milliseconds(sinceBoot), wall: Self.milliseconds(wall))
    }

    /// Whole seconds since the boot, those asleep included.
    public static var second: Int {
        var sinceBoot = timespec()
        clock_gettime(CLOCK_BOOTTIME, &sinceBoot)
        return sinceBoot.tv_sec
    }

    private static func milliseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// The users and the place of a process, from `/proc/PID/status` (proc_pid_status(5)).
struct ProcessOwner {
    /// The first two numbers of the line `Uid:`.
    let user: UInt32
    let effectiveUser: UInt32
    /// Whether it is the first process of its namespace, the last number of the line `NSpid:`. It becomes the parent of each process
    /// there whose parent has ended (pid_namespaces(7)).
    let isFirstOfNamespace: Bool

    /// - Returns: `nil` if it cannot be read.
    init?(of process: Int32, root: String) {
        // The program chooses its name in the first line, but line ends in it are escaped.
        let lines = RegularFile.text("\(root)/\(process)/status", limit: 16_384)?.split(separator: "\n") ?? []
        func numbers(_ name: String) -> [UInt32] {
            let line = lines.first { $0.hasPrefix(name) }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().compactMap { UInt32($0) } ?? []
        }
        let users = numbers("Uid:")
        guard users.count >= 2 else { return nil }
        (user, effectiveUser) = (users[0], users[1])
        isFirstOfNamespace = numbers("NSpid:").last == 1
    }
}
