import Authorization
import Base
import Cryptography
import Foundation
import Glibc

/// Determines what a process runs: its sandbox, its unit, its program, and the script if the program is an interpreter.
struct ProgramInspector {
    /// 512 MB, which takes about a second. The largest programs of Debian have 300 MB.
    static let largestProgram: Int64 = 512_000_000
    /// Up to this size, and down to this part of it on the disk, a file may have holes: linkers leave some.
    private static let (smallestSparse, leastPart): (Int64, Int64) = (16_000_000, 16)

    let root: String
    let digests: FileDigests
    let packages: PackageDatabase
    /// VoiceGate's own command line, whose file is read at any time.
    let commandLine: String?
    let confined: ConfinedPrograms
    let runners = CodeRunners.ofSystem

    init(root: String, digests: FileDigests, packages: PackageDatabase, commandLine: String?) {
        (self.root, self.digests, self.packages, self.commandLine) = (root, digests, packages, commandLine)
        confined = ConfinedPrograms(root: root)
    }

    /// - Parameters:
    ///   - status: read before. The caller checks afterwards that it is still the same process.
    ///   - use: `whole`: a file whose digest is not known is read, which takes up to a second.
    /// - Throws: `notRead` if more would have to be done than that.
    func look(at status: ProcessStatus, user: UInt32, _ use: FileUse) throws(ProcessError) -> InspectedProgram {
        try identify(try examine(status, user: user, use), use)
    }

    /// Determines what the process runs, without reading its program and its script.
    func examine(_ status: ProcessStatus, user: UInt32, _ use: FileUse) throws(ProcessError) -> ExaminedProgram {
        let process = status.processIdentifier
        let link = "\(root)/\(process)/exe"
        let descriptor = try open(link, process)
        let metadata = try metadata(descriptor, process, use)
        // The kernel appends " (deleted)" for a deleted file. It stays in the name, so that no manifest's path matches.
        let path = LinkTarget.of(link) ?? "unknown"
        let group = ControlGroup(of: process, root: root)
        let sandbox = try SandboxInspector(process: process, root: root, group: group, confined: confined)
            .look(at: path, metadata, use)
        var script = ScriptFile.Finding?.none
        if case .none = sandbox, let interpreter = Interpreter(program: path) {
            try use.require(.small)
            script = ScriptFile.find(interpreter, of: status, root: root)
        } else if case .none = sandbox, !isCommandLine(metadata), try runners.reason(path, metadata, use) != nil {
            script = .some(.none)
        }
        return ExaminedProgram(
            process: process, path: path, metadata: metadata, descriptor: descriptor, group: group,
            unit: group?.unit(ofUser: user), sandbox: sandbox, script: script)
    }

    func identify(_ found: borrowing ExaminedProgram, _ use: FileUse) throws(ProcessError) -> InspectedProgram {
        let (file, process) = (found.descriptor.rawValue, found.process)
        var result = InspectedProgram(
            executable: Executable(
                path: found.path, device: found.metadata.device, inode: found.metadata.inode, sha256: ""),
            evidence: .executable, unit: found.unit, metadata: found.metadata, group: found.group)
        switch found.sandbox {
        case .flatpak(let name, let information):
            result.evidence = .flatpak(name)
            result.executable = result.executable.named(NamingDigest.flatpak(name))
            result.flatpakInformation = information
            return result
        case .snap(let name):
            result.evidence = .snap(name)
            result.executable = result.executable.named(NamingDigest.snap(name))
            return result
        case .untrusted(let reason):
            result.evidence = .untrusted(reason)
        case .none:
            break
        }
        result.executable = try executable(found.path, file, found.metadata, process, use)
        switch found.script {
        case nil:
            break
        case .some(.none):
            result.evidence = .interpreter
        case .changed(let path):
            result.evidence = .untrusted(
                "The script \(path) changed or was removed after it was started, so the running code cannot be verified. "
                    + "Start it again."
            )
        case .script(let script):
            result.evidence = .script(interpreter: result.executable)
            result.executable = try executable(
                script.path, script.descriptor.rawValue, script.metadata, process, use)
            result.script = script
        }
        return result
    }

    /// The program that the process runs now, without reading it. One system call: the link refers to the file itself, also
    /// after a rename. It runs at each request on the connections' threads, so it must not wait for a file server.
    func currentProgram(of process: Int32) throws(ProcessError) -> FileMetadata {
        do {
            return try FileMetadata(cached: "\(root)/\(process)/exe")
        } catch {
            throw error.code == .missing ? ProcessError.vanished(process) : Self.unreadable(process)
        }
    }

    private func executable(
        _ path: String, _ descriptor: Int32, _ metadata: FileMetadata, _ process: Int32, _ use: FileUse
    ) throws(ProcessError) -> Executable {
        Executable(
            path: path, device: metadata.device, inode: metadata.inode,
            sha256: try digest(of: descriptor, metadata, "program of process \(process)", use), size: metadata.size,
            package: try packages.owner(of: path, metadata, use))
    }

    /// - Parameters:
    ///   - descriptor: also one that is a reference only.
    ///   - name: of the file in messages.
    func digest(
        of descriptor: Int32, _ metadata: FileMetadata, _ name: String, _ use: FileUse
    ) throws(ProcessError) -> String {
        if let digest = digests.known(metadata) { return digest }
        if !isCommandLine(metadata) {
            try use.require(.small)
            try checkSize(descriptor, metadata, name)
            try use.require(.whole)
        }
        // A reference cannot be read.
        let file = OwnedDescriptor(
            owning: Glibc.open("/proc/self/fd/\(descriptor)", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC))
        guard file.rawValue >= 0 else {
            throw ProcessError(
                code: .unreadable, message: "The \(name) cannot be read. Make it readable, or run a different one.")
        }
        guard let digest = digests.sha256(of: file.rawValue, metadata: metadata) else {
            throw ProcessError(
                code: .executableChanged, message: "The \(name) changed while it was read. Start it again.")
        }
        return digest
    }

    private func checkSize(_ descriptor: Int32, _ metadata: FileMetadata, _ name: String) throws(ProcessError) {
        let megabytes = metadata.size / 1_000_000
        guard metadata.size <= Self.largestProgram else {
            throw ProcessError(
                code: .tooLarge,
                message:
                    "The \(name) has \(megabytes) MB. Programs of up to \(Self.largestProgram / 1_000_000) MB can be "
                    + "identified. Use a smaller one for the connection, such as voicegate.")
        }
        guard metadata.size > Self.smallestSparse else { return }
        var status = stat()
        // Some file systems report no blocks at all.
        guard fstat(descriptor, &status) == 0, status.st_blocks > 0 else { return }
        guard Int64(status.st_blocks) * 512 >= metadata.size / Self.leastPart else {
            throw ProcessError(
                code: .tooLarge,
                message:
                    "The \(name) has \(megabytes) MB, but almost none of it on the disk, and is not read. Copy it with "
                    + "cp --sparse=never, then start the copy.")
        }
    }

    private func isCommandLine(_ metadata: FileMetadata) -> Bool {
        guard let commandLine, let own = try? FileMetadata(path: commandLine) else { return false }
        return own.isSameFile(as: metadata)
    }

    private func open(_ link: String, _ process: Int32) throws(ProcessError) -> OwnedDescriptor {
        // The link leads to the file itself, so this does not wait.
        do {
            return try FileUse.small.reference(to: link)
        } catch {
            throw error.code == .missing ? ProcessError.vanished(process) : Self.unreadable(process)
        }
    }

    private static func unreadable(_ process: Int32) -> ProcessError {
        ProcessError(
            code: .unreadable,
            message: "The program of process \(process) cannot be read. Run it as the service's user, not setuid.")
    }

    private func metadata(
        _ descriptor: borrowing OwnedDescriptor, _ process: Int32, _ use: FileUse
    ) throws(ProcessError) -> FileMetadata {
        guard let metadata = try? use.metadata(of: descriptor), metadata.isRegularFile else {
            throw ProcessError(
                code: .unreadable, message: "The program of process \(process) is not a file. Start it from a file.")
        }
        return metadata
    }
}

extension Executable {
    /// The same program, identified by a name instead of its bytes.
    func named(_ digest: String) -> Executable {
        Executable(path: path, device: device, inode: inode, sha256: digest, isPackageManaged: false, package: package)
    }
}

/// What a process runs, with references to its files.
struct ExaminedProgram: ~Copyable {
    let process: Int32
    let path: String
    let metadata: FileMetadata
    let descriptor: OwnedDescriptor
    let group: ControlGroup?
    let unit: SystemdUnit?
    let sandbox: SandboxInspector.Finding
    /// `nil`: it is not an interpreter.
    let script: ScriptFile.Finding?

    var isSandboxed: Bool {
        if case .none = sandbox { false } else { true }
    }

    /// Whether it is an interpreter that runs no script which can be named.
    var isBareInterpreter: Bool {
        if case .some(.none) = script { true } else { false }
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

    /// Whether the process still runs it, as far as that is seen without waiting. Two system calls for a plain program, a few
    /// more for a script or a snap; the files' bytes are not read.
    func isCurrent(of process: Int32, _ inspector: ProgramInspector) throws(ProcessError) -> Bool {
        let now = try inspector.currentProgram(of: process)
        // A running program's bytes cannot be written, but its links and its change time may change.
        guard now.isSameFile(as: metadata), now.size == metadata.size, now.modifiedAt == metadata.modifiedAt else {
            return false
        }
        if let script, !script.isUnchanged { return false }
        if case .snap = evidence { return isInSameGroup(process, inspector) }
        return true
    }

    /// Whether `isCurrent` is not enough, because there is a script or a Flatpak.
    var hasMoreToCheck: Bool { script != nil || flatpakInformation != nil }

    /// Whether the process still runs the same script in the same sandbox. May wait.
    func isSameInside(_ process: Int32, _ inspector: ProgramInspector) -> Bool {
        if let script, !script.isNamed(by: process, root: inspector.root) { return false }
        guard let flatpakInformation else { return true }
        let path = "\(inspector.root)/\(process)/root/\(FlatpakInformation.name)"
        return (try? FileMetadata(path: path))?.isSameFile(as: flatpakInformation) == true
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
        Hexadecimal.encode(SHA256.hash(data: text.utf8))
    }
}
