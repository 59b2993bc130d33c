import Authorization
import CLinux
import Foundation
import Glibc

/// Determines the sandbox of a process. Unreadable or contradictory evidence is untrusted and never "none".
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
    let confined: ConfinedPrograms

    /// - Parameters:
    ///   - path: of the process's program, as the kernel writes it.
    ///   - program: that program.
    /// - Throws: `notRead` if a file would have to be read that may not be.
    func look(at path: String, _ program: FileMetadata, _ use: FileUse) throws(ProcessError) -> Finding {
        let number = vg_open_folder("\(root)/\(process)/root")
        guard number >= 0 else {
            if errno == ENOENT || errno == ESRCH { throw ProcessError.vanished(process) }
            return untrusted("The root folder of process \(process) cannot be read")
        }
        let information = try FlatpakInformation.find(in: OwnedDescriptor(owning: number), use)
        let snap = try snap(path, program, use)
        switch (information, snap) {
        case (.unreadable, _):
            return untrusted("The Flatpak metadata of process \(process) cannot be read")
        case (.application(let name, let file), .none):
            return .flatpak(name, file)
        case (.closed(let file), .none):
            guard let name = FlatpakMounts(of: process, root: root)?.application else {
                return untrusted("The Flatpak metadata of process \(process) cannot be read")
            }
            return .flatpak(name, file)
        case (.application, _), (.closed, _):
            return untrusted("Process \(process) appears to be both a Flatpak application and a snap")
        case (.none, _) where group?.isFlatpak == true:
            // A Flatpak scope without the file that each sandbox has (compare CVE-2021-41133).
            return untrusted("Process \(process) belongs to a Flatpak application, whose metadata is missing")
        case (.none, .snap) where label?.snap != nil && label?.isEnforced == true:
            return snap
        case (.none, _):
            guard try UserNamespace.isOwn(process, root: root) || confined.contain(process) else {
                return .untrusted(
                    "Process \(process) is in another user namespace than this service, where a program can take any name, so "
                        + "its identity cannot be verified. Run it outside of that container, as a Flatpak, or with voicegate run."
                )
            }
            return snap
        }
    }

    private var label: AppArmorLabel? { AppArmorLabel(of: process, root: root) }

    private func snap(_ path: String, _ program: FileMetadata, _ use: FileUse) throws(ProcessError) -> Finding {
        let label = self.label
        let names = Set([group?.snap, label?.snap].compactMap { $0 })
        guard let name = names.first else { return .none }
        guard names.count == 1, SandboxName.isValid(name) else {
            return untrusted("The control group and the AppArmor label of process \(process) name different snaps")
        }
        if label?.snap != nil, label?.isEnforced == true { return .snap(name) }
        // Without confinement, the snap's children are in its group too, such as programs in an editor's terminal. Only the
        // snap's own files count, as this service sees them: the process may have mounted something there.
        let folders = ["/snap/\(name)/", "/var/lib/snapd/snap/\(name)/"]
        guard folders.contains(where: path.hasPrefix) else { return .none }
        try use.require(.small)
        guard let file = try? FileMetadata(path: path), file.isSameFile(as: program) else { return .none }
        return .snap(name)
    }

    private func untrusted(_ what: String) -> Finding {
        .untrusted(what + ", so its identity cannot be verified. Run it outside of the sandbox, or start it again.")
    }
}

/// `/.flatpak-info`, which Flatpak puts into each sandbox (flatpak-metadata(5)): a key file whose group `Application` has
/// the name.
struct FlatpakInformation {
    /// Bytes; the file usually has about 2 kB.
    static let sizeLimit = 65_536

    enum Finding {
        case none
        case application(String, FileMetadata)
        /// Only its user may read it, and the service runs as a different user: Flatpak makes it with mode 0600.
        case closed(FileMetadata)
        /// The file exists but is invalid.
        case unreadable
    }

    static let name = ".flatpak-info"

    /// - Parameter folder: the process's root folder, open.
    /// - Throws: `notRead` if the file exists and may not be read.
    static func find(in folder: borrowing OwnedDescriptor, _ use: FileUse) throws(ProcessError) -> Finding {
        let file: OwnedDescriptor
        do {
            file = try use.reference(to: name, in: folder.rawValue, following: false)
        } catch {
            if error.code == .mayWait { try use.require(.small) }
            return error.code == .missing ? .none : .unreadable
        }
        try use.require(.small)
        if let metadata = try? FileMetadata(descriptor: file.rawValue, path: ""), metadata.isRegularFile,
            metadata.owner != geteuid(),
            faccessat(AT_FDCWD, "/proc/self/fd/\(file.rawValue)", R_OK, AT_EACCESS) != 0, errno == EACCES
        {
            return .closed(metadata)
        }
        guard let contents = try? RegularFile(path: "/proc/self/fd/\(file.rawValue)", limit: sizeLimit),
            let name = application(in: contents.data)
        else { return .unreadable }
        return .application(name, contents.metadata)
    }

    /// - Returns: `nil` when there is no name, more than one, or an invalid one.
    static func application(in data: Data) -> String? {
        guard let text = String(validating: data, as: UTF8.self) else { return nil }
        var group = ""
        var names: Set<String> = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("[") {
                group = String(line)
            } else if group == "[Application]", line.hasPrefix("name=") {
                names.insert(String(line.dropFirst("name=".count)))
            }
        }
        guard names.count == 1, let name = names.first, SandboxName.isValid(name) else { return nil }
        return name
    }
}

/// What Flatpak has mounted into a sandbox, as the kernel reports it (proc(5), mountinfo): `/app` is the application's
/// deployment, `…/app/NAME/ARCHITECTURE/BRANCH/COMMIT/files` (flatpak-run(1)). A sandbox cannot mount anything itself.
struct FlatpakMounts {
    private static let sizeLimit = 1 << 20

    /// `nil`: `/app` is not a deployment of an application.
    let application: String?

    init(parsing text: String) {
        // ID PARENT DEVICE ROOT PLACE …; the last mount at a place is the one that is seen.
        let roots = text.split(separator: "\n").compactMap { line -> Substring? in
            let fields = line.split(separator: " ", maxSplits: 5)
            return fields.count > 5 && fields[4] == "/app" ? fields[3] : nil
        }
        let folders = roots.last?.split(separator: "/").suffix(6) ?? []
        guard folders.count == 6, folders.first == "app", folders.last == "files" else {
            application = nil
            return
        }
        let name = String(folders[folders.startIndex + 1])
        let commit = folders[folders.startIndex + 4]
        application =
            SandboxName.isValid(name) && commit.count == 64 && commit.allSatisfy(\.isHexDigit) ? name : nil
    }

    /// - Returns: `nil` if the process has ended.
    init?(of process: Int32, root: String) {
        guard let text = RegularFile.text("\(root)/\(process)/mountinfo", limit: Self.sizeLimit) else { return nil }
        self.init(parsing: text)
    }
}

/// The confinement of a process as AppArmor names it, such as `snap.NAME.APP (enforce)`.
struct AppArmorLabel: Hashable {
    let profile: String
    let isEnforced: Bool

    init(parsing text: String) {
        let line = text.split(whereSeparator: { $0 == "\n" || $0 == "\0" }).first.map(String.init) ?? ""
        isEnforced = line.hasSuffix(" (enforce)")
        profile = line.split(separator: " ").first.map(String.init) ?? ""
    }

    /// - Returns: `nil` without AppArmor.
    init?(of process: Int32, root: String) {
        let texts = ["apparmor/current", "current"].lazy.compactMap {
            RegularFile.text("\(root)/\(process)/attr/\($0)", limit: 4096)
        }
        guard let text = texts.first else { return nil }
        self.init(parsing: text)
    }

    /// The snap in `snap.NAME.APP`.
    var snap: String? {
        let fields = profile.split(separator: ".")
        return fields.count >= 3 && fields[0] == "snap" ? String(fields[1]) : nil
    }
}
