import Base

/// A process at the other end of a connection, as the kernel describes it; the process itself contributes nothing.
public struct Caller: Sendable, Hashable {
    public let process: ProcessIdentity
    public let user: UInt32
    /// The file that identifies the program: its executable, or the script that it runs.
    public let executable: Executable
    public let evidence: Evidence
    /// The systemd service that it runs in, if any.
    public let unit: SystemdUnit?
    /// If `process` is VoiceGate's command line run by another program: the process of that program, which the other
    /// properties describe. Its identifier is 0 if it ended before it could be inspected.
    public let responsible: ProcessIdentity?

    public init(
        process: ProcessIdentity, user: UInt32, executable: Executable, evidence: Evidence = .executable,
        unit: SystemdUnit? = nil, responsible: ProcessIdentity? = nil
    ) {
        self.process = process
        self.user = user
        self.executable = executable
        self.evidence = evidence
        self.unit = unit
        self.responsible = responsible
    }
}

/// One process. The kernel reuses process identifiers; the start time tells the processes apart.
public struct ProcessIdentity: Sendable, Hashable, Codable {
    public let processIdentifier: Int32
    /// Field 22 of `/proc/PID/stat`: clock ticks from boot to the process's start.
    public let startTime: UInt64

    public init(processIdentifier: Int32, startTime: UInt64) {
        self.processIdentifier = processIdentifier
        self.startTime = startTime
    }
}

/// The strongest available evidence of which program a caller is.
public enum Evidence: Sendable, Hashable {
    /// It runs in the sandbox of this Flatpak application.
    case flatpak(String)
    /// It runs as part of this snap.
    case snap(String)
    /// It runs the script `Caller.executable`.
    case script(interpreter: Executable)
    /// It runs code that no file names: of an interpreter from `-c`, a module or standard input, or any code of a program that
    /// the system marks as running other code.
    case interpreter
    /// It runs the program `Caller.executable`.
    case executable
    /// The evidence is contradictory or unreadable, and every request is refused. The text says why and what to do.
    case untrusted(String)

    /// The name in records.
    public var kind: String {
        switch self {
        case .flatpak: "flatpak"
        case .snap: "snap"
        case .script: "script"
        case .interpreter: "interpreter"
        case .executable: "executable"
        case .untrusted: "untrusted"
        }
    }
}

/// A program file, as the kernel names it in `/proc/PID/exe`.
public struct Executable: Sendable, Hashable {
    public let path: String
    public let device: UInt64
    public let inode: UInt64
    /// SHA-256, lower-case hexadecimal: of the file's bytes; for a program in a sandbox or a unit, of the text that names it.
    public let sha256: String
    /// Bytes of the file; `nil`: it is identified by a name.
    public let size: Int64?
    /// The system's package manager owns the file and only root can write it, so a grant carries over when it changes.
    public let isPackageManaged: Bool
    /// The package that owns the file, by the system's package manager; `nil`: none, or unknown.
    public let package: String?

    /// - Parameter package: see `isPackageManaged`, which is its default.
    public init(
        path: String, device: UInt64, inode: UInt64, sha256: String, size: Int64? = nil,
        isPackageManaged: Bool? = nil, package: String? = nil
    ) {
        self.path = path
        self.device = device
        self.inode = inode
        self.sha256 = sha256
        self.size = size
        self.isPackageManaged = isPackageManaged ?? (package != nil)
        self.package = package
    }

    public var name: String { String(path.split(separator: "/").last ?? "unknown") }
}

/// A systemd service, as the control group of its processes names it.
public struct SystemdUnit: Sendable, Hashable, CustomStringConvertible {
    public enum Manager: String, Sendable, Hashable {
        /// Only root defines its units.
        case system
        /// Any program of the user can start a unit of any name.
        case user
    }

    public let manager: Manager
    /// With its suffix, such as `notes.service`.
    public let name: String

    /// - Returns: `nil` if the name is not a service's.
    public init?(manager: Manager, name: String) {
        // systemd.unit(5): at most 255 of these characters.
        guard name.hasSuffix(".service"), name.utf8.count > ".service".utf8.count, name.utf8.count <= 255,
            name.unicodeScalars.allSatisfy({
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789:-_.\\@".unicodeScalars.contains($0))
            })
        else { return nil }
        self.manager = manager
        self.name = name
    }

    /// Reads `NAME.service`, or `user/NAME.service` for a service of the user's own manager.
    public init?(_ text: String) {
        if text.hasPrefix("user/") {
            self.init(manager: .user, name: String(text.dropFirst("user/".count)))
        } else {
            self.init(manager: .system, name: text)
        }
    }

    public var description: String { manager == .user ? "user/\(name)" : name }
}

/// The name of a Flatpak application or a snap.
public enum SandboxName {
    public static func isValid(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count) && name.first?.isPunctuation == false
            && name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_.".utf8.contains($0) }
    }
}

/// Whether the person is using the client, according to the kernel and the session manager.
public enum Presence: String, Sendable, Codable, Hashable, CaseIterable {
    /// The foreground job of its terminal, or a program of the active desktop.
    case foreground
    case background
}
