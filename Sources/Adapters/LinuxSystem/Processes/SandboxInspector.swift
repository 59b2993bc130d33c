import Authorization
import CLinux
import Glibc

/// Tells which sandbox a process runs in. What cannot be read, or contradicts itself, is untrusted and never "none".
struct SandboxInspector {
    enum Finding {
        case none
        case flatpak(String, FileMetadata)
        case snap(String)
        case untrusted(String)
    }

    let process: Int32
    let root: String
    let group: ControlGroup?

    /// - Parameters:
    ///   - path: of the process's program, as the kernel writes it.
    ///   - program: that program.
    func look(at path: String, _ program: FileMetadata) throws(ProcessError) -> Finding {
        let number = vg_open_folder("\(root)/\(process)/root")
        guard number >= 0 else {
            if errno == ENOENT || errno == ESRCH { throw ProcessError.vanished(process) }
            return untrusted("The root folder of process \(process) cannot be seen")
        }
        let information = FlatpakInformation.find(in: OwnedDescriptor(owning: number))
        let snap = snap(path, program)
        switch (information, snap) {
        case (.unreadable, _):
            return untrusted("The Flatpak metadata of process \(process) cannot be read")
        case (.application(let name, let file), .none):
            return .flatpak(name, file)
        case (.application, _):
            return untrusted("Process \(process) says that it is a Flatpak application and a snap")
        case (.none, _) where group?.isFlatpak == true:
            // The scope around a sandbox, without the file that each sandbox has (compare CVE-2021-41133).
            return untrusted("Process \(process) belongs to a Flatpak application, whose metadata is missing")
        case (.none, _):
            return snap
        }
    }

    private func snap(_ path: String, _ program: FileMetadata) -> Finding {
        let label = AppArmorLabel(of: process, root: root)
        let names = Set([group?.snap, label?.snap].compactMap { $0 })
        guard let name = names.first else { return .none }
        guard names.count == 1, SandboxName.isValid(name) else {
            return untrusted("The control group and the AppArmor label of process \(process) name different snaps")
        }
        if label?.snap != nil, label?.isEnforced == true { return .snap(name) }
        // Without confinement, the snap's children are in its group too, such as what runs in an editor's terminal. Only
        // the snap's own programs count, and as this service sees them: the process may have mounted something there.
        let folders = ["/snap/\(name)/", "/var/lib/snapd/snap/\(name)/"]
        guard folders.contains(where: path.hasPrefix), let file = try? FileMetadata(path: path),
            file.device == program.device, file.inode == program.inode
        else { return .none }
        return .snap(name)
    }

    private func untrusted(_ what: String) -> Finding {
        .untrusted(what + ", so nobody can tell what it is. Run it outside of the sandbox, or start it again.")
    }
}
