/// A process at the other end of a connection, with the kernel's evidence about it. Nothing here is the caller's word.
public struct Caller: Sendable, Hashable {
    public let process: ProcessIdentity
    public let user: UInt32
    /// What identifies the program that asks: its file, or the script it runs.
    public let executable: Executable
    public let evidence: Evidence
    /// The service it runs in, if any.
    public let unit: SystemdUnit?
    /// Where `process` is VoiceGate's command line and another program runs it: that program's process, which all else
    /// here is about. Its identifier is 0 when that one had ended before it could be looked at.
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

/// One process for as long as it lives: a process identifier alone is used again after its process has ended.
public struct ProcessIdentity: Sendable, Hashable, Codable {
    public let processIdentifier: Int32
    /// Field 22 of `/proc/PID/stat`: clock ticks between boot and the process's start.
    public let startTime: UInt64

    public init(processIdentifier: Int32, startTime: UInt64) {
        self.processIdentifier = processIdentifier
        self.startTime = startTime
    }
}

/// What tells which program a caller is, the best there is. Nothing here is the caller's claim.
public enum Evidence: Sendable, Hashable {
    /// It runs in the sandbox of this Flatpak application; who may be in there is Flatpak's to decide.
    case flatpak(String)
    /// It runs as part of this snap.
    case snap(String)
    /// It runs a script, which `Caller.executable` then is.
    case script(interpreter: Executable)
    /// It runs an interpreter on code that is no file to be shown: `-c`, a module, standard input.
    case interpreter
    /// It runs the program that `Caller.executable` is.
    case executable
    /// What there is contradicts itself or cannot be read, so that nothing is believed. The text is a sentence that says
    /// why, and what to do. Every request is refused.
    case untrusted(String)

    /// For records.
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

/// The program a process runs, as the kernel names it through `/proc/PID/exe`.
public struct Executable: Sendable, Hashable, Codable {
    public let path: String
    public let device: UInt64
    public let inode: UInt64
    /// SHA-256, lower-case hexadecimal, of what identifies the program: the file's bytes; for an interpreter's script those
    /// of the script; for a program of a sandbox or a unit the text that names it.
    public let sha256: String
    /// Whether the system's package manager owns the file and only root can write it: when it changes, the system
    /// changed it, and a yes carries over.
    public let isPackageManaged: Bool

    public init(path: String, device: UInt64, inode: UInt64, sha256: String, isPackageManaged: Bool = false) {
        self.path = path
        self.device = device
        self.inode = inode
        self.sha256 = sha256
        self.isPackageManaged = isPackageManaged
    }

    public var name: String { String(path.split(separator: "/").last ?? "unknown") }
}

/// A service of systemd, as the control group of its processes names it.
public struct SystemdUnit: Sendable, Hashable, CustomStringConvertible {
    public enum Manager: String, Sendable, Hashable {
        /// Only root says what its units run.
        case system
        /// A user's own; any program of that user can start a unit of any name there.
        case user
    }

    public let manager: Manager
    /// With its suffix, such as `notes.service`.
    public let name: String

    /// - Returns: `nil` when the name is none of a service.
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

    /// `NAME.service`, or `user/NAME.service` for one of the user's own manager: how manifests write it.
    public init?(_ text: String) {
        if text.hasPrefix("user/") {
            self.init(manager: .user, name: String(text.dropFirst("user/".count)))
        } else {
            self.init(manager: .system, name: text)
        }
    }

    public var description: String { manager == .user ? "user/\(name)" : name }
}

/// What Flatpak and snap call an application. Only such names are believed, shown and compared.
public enum SandboxName {
    public static func isValid(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count) && name.first?.isPunctuation == false
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}

/// Whether the person has a client before them, by the kernel's and the session manager's facts and never by the client's
/// word.
public enum Presence: String, Sendable, Codable, Hashable, CaseIterable {
    /// The foreground job of its terminal, or a program of the active desktop.
    case foreground
    /// Anything else.
    case background
}
