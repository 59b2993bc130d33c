import Authorization
import Crypto
import Foundation
import Glibc

/// Determines what a process runs: its sandbox, its unit, its program, and the script if the program is an interpreter.
struct ProgramInspector {
    /// 1 GB. A larger program would keep a thread busy for seconds.
    static let largestProgram = 1 << 30

    let root: String
    let digests: FileDigests
    let packages: PackageDatabase

    /// - Parameter status: read before. The caller checks afterwards that it is still the same process.
    func look(at status: ProcessStatus, user: UInt32) throws(ProcessError) -> InspectedProgram {
        let process = status.processIdentifier
        let link = "\(root)/\(process)/exe"
        let descriptor = try open(link, process)
        let metadata = try metadata(descriptor.rawValue, process)
        // The kernel appends " (deleted)" for a deleted file. It stays in the name, so that no manifest's path matches.
        let path = LinkTarget.of(link) ?? "unknown"
        let program = try executable(path, descriptor.rawValue, metadata, process)
        let group = ControlGroup(of: process, root: root)
        let sandbox = try SandboxInspector(process: process, root: root, group: group).look(at: path, metadata)
        var found = InspectedProgram(
            executable: program, evidence: .executable, unit: group?.unit(ofUser: user), metadata: metadata,
            group: group)
        switch sandbox {
        case .untrusted(let reason):
            found.evidence = .untrusted(reason)
        case .flatpak(let name, let information):
            found.evidence = .flatpak(name)
            found.executable = program.named(NamingDigest.flatpak(name))
            found.flatpakInformation = information
        case .snap(let name):
            found.evidence = .snap(name)
            found.executable = program.named(NamingDigest.snap(name))
        case .none:
            if let interpreter = Interpreter(program: path) { try lookForScript(of: interpreter, status, &found) }
        }
        return found
    }

    private func lookForScript(
        of interpreter: Interpreter, _ status: ProcessStatus, _ found: inout InspectedProgram
    ) throws(ProcessError) {
        switch ScriptFile.find(interpreter, of: status, root: root) {
        case .none:
            found.evidence = .interpreter
        case .changed(let path):
            found.evidence = .untrusted(
                "The script \(path) changed after it was started, so the running code cannot be verified. Start it again."
            )
        case .script(let script):
            let number = script.descriptor.rawValue
            found.evidence = .script(interpreter: found.executable)
            found.executable = try executable(script.path, number, script.metadata, status.processIdentifier)
            found.script = script
        }
    }

    /// The program that the process runs now, without reading it. One system call: the link refers to the file itself, also
    /// after a rename.
    func currentProgram(of process: Int32) throws(ProcessError) -> FileMetadata {
        do {
            return try FileMetadata(path: "\(root)/\(process)/exe")
        } catch {
            throw error.code == .missing ? ProcessError.vanished(process) : Self.unreadable(process)
        }
    }

    private func executable(
        _ path: String, _ descriptor: Int32, _ metadata: FileMetadata, _ process: Int32
    ) throws(ProcessError) -> Executable {
        guard metadata.size <= Self.largestProgram else {
            throw ProcessError(
                code: .unreadable,
                message: "The program of process \(process) is larger than 1 GB and is not supported.")
        }
        guard let digest = digests.sha256(of: descriptor, metadata: metadata) else {
            throw ProcessError(
                code: .executableChanged,
                message: "The program of process \(process) changed while it was read. Start it again.")
        }
        return Executable(
            path: path, device: metadata.device, inode: metadata.inode, sha256: digest,
            isPackageManaged: packages.owns(path, metadata))
    }

    private func open(_ link: String, _ process: Int32) throws(ProcessError) -> OwnedDescriptor {
        let number = Glibc.open(link, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number < 0 else { return OwnedDescriptor(owning: number) }
        if errno == ENOENT || errno == ESRCH { throw ProcessError.vanished(process) }
        throw Self.unreadable(process)
    }

    private static func unreadable(_ process: Int32) -> ProcessError {
        ProcessError(
            code: .unreadable,
            message: "The program of process \(process) cannot be read. Run it as the service's user, not setuid.")
    }

    private func metadata(_ descriptor: Int32, _ process: Int32) throws(ProcessError) -> FileMetadata {
        guard let metadata = try? FileMetadata(descriptor: descriptor, path: ""), metadata.isRegularFile else {
            throw ProcessError(
                code: .unreadable, message: "The program of process \(process) is not a file. Start it from a file.")
        }
        return metadata
    }
}

extension Executable {
    /// The same program, identified by a name instead of its bytes.
    func named(_ digest: String) -> Executable {
        Executable(path: path, device: device, inode: inode, sha256: digest)
    }
}

/// The program of a process, with the evidence for checking it again.
struct InspectedProgram: Sendable {
    var executable: Executable
    var evidence: Evidence
    let unit: SystemdUnit?
    /// Of the file of `/proc/PID/exe`, which is the interpreter if `executable` is a script.
    let metadata: FileMetadata
    let group: ControlGroup?
    var script: ScriptFile?
    var flatpakInformation: FileMetadata?

    /// Whether the process still runs it. Two system calls for a plain program, a few more for a script, a sandbox or a unit;
    /// the files' bytes are not read.
    func isCurrent(of process: Int32, _ inspector: ProgramInspector) throws(ProcessError) -> Bool {
        let now = try inspector.currentProgram(of: process)
        // A running program's bytes cannot be written, but its links and its change time may change.
        guard now.isSameFile(as: metadata), now.size == metadata.size, now.modifiedAt == metadata.modifiedAt else {
            return false
        }
        if let script, !script.isUnchanged(of: process, root: inspector.root) { return false }
        if let flatpakInformation {
            let information = try? FileMetadata(path: "\(inspector.root)/\(process)/root/.flatpak-info")
            guard information?.isSameFile(as: flatpakInformation) == true else { return false }
        }
        if case .snap = evidence { return isInSameGroup(process, inspector) }
        return true
    }

    /// Separate, because a desktop moves new processes between groups, and only a unit's manifest depends on the group.
    func isInSameGroup(_ process: Int32, _ inspector: ProgramInspector) -> Bool {
        ControlGroup(of: process, root: inspector.root) == group
    }
}

/// The digest of a program that is identified by a name instead of its bytes.
enum NamingDigest {
    static func flatpak(_ name: String) -> String { sha256("flatpak:" + name) }

    static func snap(_ name: String) -> String { sha256("snap:" + name) }

    /// - Parameter program: the digest of the program. Root controls the names of the system's units, but in a user's manager
    ///   any program of the user can take a unit's name, so there the program counts, too.
    static func unit(_ unit: SystemdUnit, running program: String) -> String {
        switch unit.manager {
        case .system: sha256("systemd:" + unit.name)
        case .user: sha256("systemd-user:" + unit.name + "\n" + program)
        }
    }

    private static func sha256(_ text: String) -> String {
        Hexadecimal.encode(SHA256.hash(data: Data(text.utf8)))
    }
}
