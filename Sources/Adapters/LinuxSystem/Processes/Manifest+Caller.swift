import Authorization

extension Manifest {
    /// Whether the caller is what the manifest is bound to. What runs in a sandbox is never taken for a program outside,
    /// and an interpreter never for one of its scripts.
    public func speaks(for caller: Caller) -> Bool {
        switch (binding, caller.evidence) {
        case (.flatpak(let name), .flatpak(let other)), (.snap(let name), .snap(let other)):
            name == other
        case (.executable, .executable):
            Self.isFile(executablePath, caller.executable, of: caller)
        case (.script(let path), .script(let interpreter)):
            Self.isFile(path, caller.executable, of: caller)
                && Self.isFile(executablePath, interpreter, of: caller)
        case (.unit(let unit, let script), let evidence):
            caller.unit == unit && runs(evidence, of: caller, script, isSystem: unit.manager == .system)
        default: false
        }
    }

    private func runs(_ evidence: Evidence, of caller: Caller, _ script: String?, isSystem: Bool) -> Bool {
        switch evidence {
        case .executable:
            script == nil && Self.isFile(executablePath, caller.executable, of: caller)
        case .script(let interpreter):
            Self.isFile(executablePath, interpreter, of: caller)
                && (script.map { Self.isFile($0, caller.executable, of: caller) } ?? isSystem)
        case .interpreter:
            // Root says what its unit runs.
            script == nil && isSystem && Self.isFile(executablePath, caller.executable, of: caller)
        case .flatpak, .snap, .untrusted: false
        }
    }

    private static func isFile(_ path: String, _ executable: Executable, of caller: Caller) -> Bool {
        do {
            let file = try FileMetadata(path: path)
            return file.isRegularFile && file.device == executable.device && file.inode == executable.inode
        } catch {
            // In a folder that this service may not look into, such as the home of a user that the machine's own service
            // serves. The kernel's name of the caller's program has to do; a yes is for that program's bytes in any case.
            return error.code == .notAllowed && path == executable.path && hasHostsFiles(caller)
        }
    }

    /// Whether a path means to the caller what it means on this machine: in a file system of its own anything can lie there.
    private static func hasHostsFiles(_ caller: Caller) -> Bool {
        guard let host = LinkTarget.of("/proc/1/ns/mnt") else { return false }
        return LinkTarget.of("/proc/\(caller.process.processIdentifier)/ns/mnt") == host
    }
}

extension Caller {
    /// The caller as decisions about the manifest's client know it: in a unit, the unit's name counts.
    public func identified(by manifest: Manifest?) -> Caller {
        guard case .unit(let unit, _)? = manifest?.binding else { return self }
        return Caller(
            process: process, user: user,
            executable: Executable(
                path: executable.path, device: executable.device, inode: executable.inode,
                sha256: NamingDigest.unit(unit, running: executable.sha256)),
            evidence: evidence, unit: unit, responsible: responsible)
    }
}
