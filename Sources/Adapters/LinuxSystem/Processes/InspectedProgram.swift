import Authorization

/// What a process was found to run, and what that was read from, to be looked at again.
struct InspectedProgram: Sendable {
    var executable: Executable
    var evidence: Evidence
    let unit: SystemdUnit?
    /// Of the file behind `/proc/PID/exe`, which is the interpreter where `executable` is a script.
    let metadata: FileMetadata
    let group: ControlGroup?
    var script: ScriptFile?
    var flatpakInformation: FileMetadata?

    /// Looks again. Two system calls for a plain program, a few more for a script, a sandbox or a unit; the files' bytes
    /// are not read.
    func isCurrent(of process: Int32, _ inspector: ProgramInspector) throws(ProcessError) -> Bool {
        let now = try inspector.currentProgram(of: process)
        // A running program's bytes cannot be written, but its last link may go, or a backup may touch it.
        guard now.device == metadata.device, now.inode == metadata.inode, now.size == metadata.size,
            now.modifiedAt == metadata.modifiedAt
        else { return false }
        if let script, !script.isUnchanged(of: process, root: inspector.root) { return false }
        if let flatpakInformation {
            let information = try? FileMetadata(path: "\(inspector.root)/\(process)/root/.flatpak-info")
            guard information?.inode == flatpakInformation.inode, information?.device == flatpakInformation.device
            else { return false }
        }
        if case .snap = evidence { return isInSameGroup(process, inspector) }
        return true
    }

    /// Apart from the rest: a desktop moves programs that have just begun, and it matters only to a manifest of a unit.
    func isInSameGroup(_ process: Int32, _ inspector: ProgramInspector) -> Bool {
        ControlGroup(of: process, root: inspector.root) == group
    }
}
