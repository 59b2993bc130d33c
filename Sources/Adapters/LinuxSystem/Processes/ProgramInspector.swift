import Authorization
import Glibc

/// Looks at what one process runs: its sandbox, its unit, its program, and the script if the program is an interpreter.
struct ProgramInspector {
    /// A larger program is not read: it would keep a thread busy for seconds. 1 GB.
    static let largestProgram = 1 << 30

    let root: String
    let digests: ExecutableDigests
    let packages: PackageDatabase

    /// - Parameter status: of the process, read before. The caller checks afterwards that the process is still that one.
    func look(at status: ProcessStatus, user: UInt32) throws(ProcessError) -> InspectedProgram {
        let process = status.processIdentifier
        let link = "\(root)/\(process)/exe"
        let descriptor = try open(link, process)
        let metadata = try metadata(descriptor.rawValue, process)
        // For a deleted file the kernel appends " (deleted)"; it stays in the name, and no manifest's file is that one.
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
                "The script \(path) has changed since it began, so nobody can tell what runs. Start it again.")
        case .script(let script):
            let number = script.descriptor.rawValue
            found.evidence = .script(interpreter: found.executable)
            found.executable = try executable(script.path, number, script.metadata, status.processIdentifier)
            found.script = script
        }
    }

    /// What the process runs now, without reading it. One system call: the link leads to the file itself, wherever that
    /// is by now.
    func currentProgram(of process: Int32) throws(ProcessError) -> FileMetadata {
        do {
            return try FileMetadata(path: "\(root)/\(process)/exe")
        } catch {
            throw error.code == .missing ? ProcessError.vanished(process) : Self.unseen(process)
        }
    }

    private func executable(
        _ path: String, _ descriptor: Int32, _ metadata: FileMetadata, _ process: Int32
    ) throws(ProcessError) -> Executable {
        guard metadata.size <= Self.largestProgram else {
            throw ProcessError(
                code: .unreadable,
                message: "The program of process \(process) is larger than 1 GB, and is not looked at.")
        }
        guard let digest = digests.sha256(of: descriptor, metadata: metadata) else {
            throw ProcessError(
                code: .executableChanged,
                message: "The program of process \(process) changed while it was looked at. Start it again.")
        }
        return Executable(
            path: path, device: metadata.device, inode: metadata.inode, sha256: digest,
            isPackageManaged: packages.owns(path, metadata))
    }

    private func open(_ link: String, _ process: Int32) throws(ProcessError) -> OwnedDescriptor {
        let number = Glibc.open(link, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number < 0 else { return OwnedDescriptor(owning: number) }
        if errno == ENOENT || errno == ESRCH { throw ProcessError.vanished(process) }
        throw Self.unseen(process, errno)
    }

    private static func unseen(_ process: Int32, _ number: Int32 = 0) -> ProcessError {
        ProcessError(
            code: .unreadable,
            message: "The program of process \(process) cannot be seen. Run it as the service's user, not setuid.",
            number: number)
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
    /// The same program, identified by a name and no longer by its bytes.
    fileprivate func named(_ digest: String) -> Executable {
        Executable(path: path, device: device, inode: inode, sha256: digest)
    }
}
