import ArgumentParser
import Base
import Foundation
import LinuxSystem
import SocketAPI

struct AuditRestoreCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a backup of the consent log in place of the present log.",
        discussion: """
            The service must not run. The present log is moved into a folder beside it, which you can remove when the \
            restored one verifies. The next start records that the log was restored, and makes a new key. For the machine's \
            service run this as root.
            """)

    @Argument(help: .init("A folder of voicegate audit backup.", valueName: "folder"), completion: .directory)
    var folder: String

    @Option(
        help: .init(
            "The service's state directory. (default: \(MachineService.stateDirectory) for root, else yours)",
            valueName: "folder"),
        completion: .directory)
    var stateDirectory: String?

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let state = stateDirectory ?? (geteuid() == 0 ? MachineService.stateDirectory : ServicePaths().stateDirectory)
        let restoration = try LogRestoration(backup: folder, state: state)
        if !yes {
            try require(
                context.isInteractive, .cannotAsk, status: .usage,
                "There is no terminal to confirm at. To restore without a question: --yes")
            let question = "Replace the log in \(state) by the one of \(folder)?"
            guard try await context.output.confirms(question) else {
                return context.output.note("Nothing was changed.")
            }
        }
        let replaced = try await Blocking.run { try restoration.run() }
        try context.output.result(
            Done(restored: folder, replaced: replaced),
            note: (replaced.map { "The log before is in \($0). " } ?? "")
                + "To go on: voicegate service start, then voicegate audit verify")
    }

    /// What `--json` prints.
    private struct Done: Encodable {
        let restored: String
        let replaced: String?
    }
}

/// Exchanges the files of a log while no service has it open.
struct LogRestoration: Sendable {
    private static let kept = "kept"
    private static let draft = "restored"
    private static let lock = "consent.lock"

    let backup: String
    let state: String

    /// - Throws: `CommandError` if the folder is not a backup, or there is no state directory.
    init(backup: String, state: String) throws(CommandError) {
        for name in ["consent.sqlite", "consent.key"] {
            try require(
                (try? FileMetadata(path: backup + "/" + name))?.isRegularFile == true, .noInput,
                "\(backup) is not a backup: it has no \(name). To make one: voicegate audit backup FOLDER")
        }
        try require(
            access(state, W_OK) == 0, .cannotWrite,
            "\(state) cannot be written: \(systemMessage()). For the machine's service run this as root.")
        (self.backup, self.state) = (backup, state)
    }

    /// Blocks. Whatever it leaves, if it is interrupted, is complete in one of three folders: the state directory, and
    /// `restored` or `replaced-…` in it.
    ///
    /// - Returns: where the files of the log before are; `nil` if there was none.
    func run() throws -> String? {
        let folder = try HeldFolder(state)
        let lock = self.lock(in: folder)
        try require(
            lock.rawValue >= 0 && flock(lock.rawValue, LOCK_EX | LOCK_NB) == 0, .busy,
            "The service runs and has the log open. First: voicegate service stop")
        var replaced: (name: String, folder: HeldFolder)?
        func moveAway(_ name: String) throws {
            let target = try replaced ?? newFolder(in: folder)
            replaced = target
            try move(name, from: folder.path, to: target.folder.path)
        }
        // Of a restoration that was interrupted.
        if access(folder.path + "/" + Self.draft, F_OK) == 0 { try moveAway(Self.draft) }
        let draft = try HeldFolder(new: Self.draft, in: folder)
        let copy = draft.path + "/copy"
        do {
            _ = try BackupCopy(source: backup, target: copy, shown: state).make()
            try give(copy, to: folder)
        } catch {
            try? FileManager.default.removeItem(atPath: copy)
            rmdir(folder.path + "/" + Self.draft)
            throw error
        }
        for name in try names(in: folder.path) { try moveAway(name) }
        for name in try names(in: copy) { try move(name, from: copy, to: folder.path) }
        try? FileManager.default.removeItem(atPath: copy)
        rmdir(folder.path + "/" + Self.draft)
        return replaced.map { state + "/" + $0.name }
    }

    /// A new one, as on a new machine, is the service's user's: the service could not open root's.
    private func lock(in folder: HeldFolder) -> OwnedDescriptor {
        let (path, flags) = (folder.path + "/" + Self.lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        let new = OwnedDescriptor(owning: open(path, flags | O_CREAT | O_EXCL, 0o600))
        guard new.rawValue >= 0 else { return OwnedDescriptor(owning: open(path, flags)) }
        if geteuid() == 0 { _ = fchown(new.rawValue, folder.owner.user, folder.owner.group) }
        return new
    }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            ($0.hasPrefix("consent.") || $0 == Self.kept) && $0 != Self.lock
        }
    }

    private func newFolder(in folder: HeldFolder) throws -> (name: String, folder: HeldFolder) {
        let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        let name = "replaced-\(Date().formatted(style))"
        return (name, try HeldFolder(new: name, in: folder))
    }

    private func move(_ name: String, from source: String, to target: String) throws {
        try HeldFolder.check(rename(source + "/" + name, target + "/" + name), name)
    }

    /// Root restores for the service's user.
    private func give(_ copy: String, to folder: HeldFolder) throws {
        guard geteuid() == 0, folder.owner.user != 0 else { return }
        for name in try FileManager.default.subpathsOfDirectory(atPath: copy) {
            try HeldFolder.check(lchown("\(copy)/\(name)", folder.owner.user, folder.owner.group), name)
        }
    }
}

/// A folder that is opened once. Root works in the folder of the service's user, who could put a link in the place of a folder
/// that root has just looked at or made.
private final class HeldFolder {
    private let descriptor: OwnedDescriptor
    let owner: (user: uid_t, group: gid_t)

    /// Leads to the folder itself, wherever its name leads now.
    var path: String { "/proc/self/fd/\(descriptor.rawValue)" }

    convenience init(_ path: String) throws { try self.init(opening: path, O_RDONLY) }

    /// Makes it, for this process's user alone.
    convenience init(new name: String, in folder: HeldFolder) throws {
        let path = folder.path + "/" + name
        try Self.check(mkdir(path, 0o700), name)
        try self.init(opening: path, O_RDONLY | O_NOFOLLOW)
        try require(
            owner.user == geteuid(), .cannotWrite, "\(name) was exchanged while the log was restored. Try again.")
    }

    private init(opening path: String, _ flags: CInt) throws {
        descriptor = OwnedDescriptor(owning: open(path, flags | O_DIRECTORY | O_CLOEXEC))
        var status = stat()
        try Self.check(fstat(descriptor.rawValue, &status), path)
        owner = (status.st_uid, status.st_gid)
    }

    static func check(_ result: CInt, _ name: String) throws {
        try require(result == 0, .cannotWrite, "\(name) cannot be moved or changed: \(systemMessage()).")
    }
}
