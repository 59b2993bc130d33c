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

    /// Blocks. Whatever it leaves, if it is interrupted, is complete in one of three folders: the state directory, `restored`
    /// and `replaced-…` in it.
    ///
    /// - Returns: where the files of the log before are; `nil` if there was none.
    func run() throws -> String? {
        let lock = open(state + "/" + Self.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        defer { if lock >= 0 { close(lock) } }
        try require(
            lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0, .busy,
            "The service runs and has the log open. First: voicegate service stop")
        let draft = state + "/restored"
        try? FileManager.default.removeItem(atPath: draft)
        _ = try BackupCopy(source: backup, target: draft).make()
        try giveToOwner(draft)
        var replaced: String?
        for name in try names(in: state) {
            let folder = try replaced ?? newFolder()
            replaced = folder
            try move(name, from: state, to: folder)
        }
        for name in try names(in: draft) { try move(name, from: draft, to: state) }
        try? FileManager.default.removeItem(atPath: draft)
        return replaced
    }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            ($0.hasPrefix("consent.") || $0 == Self.kept) && $0 != Self.lock
        }
    }

    private func newFolder() throws -> String {
        let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        let path = "\(state)/replaced-\(Date().formatted(style))"
        try check(mkdir(path, 0o700), path)
        return path
    }

    private func move(_ name: String, from source: String, to target: String) throws {
        try check(rename(source + "/" + name, target + "/" + name), source + "/" + name)
    }

    /// Root restores for the service's user.
    private func giveToOwner(_ folder: String) throws {
        var status = stat()
        try check(stat(state, &status), state)
        guard geteuid() == 0, status.st_uid != 0 else { return }
        for name in [""] + (try FileManager.default.subpathsOfDirectory(atPath: folder)) {
            try check(lchown("\(folder)/\(name)", status.st_uid, status.st_gid), name)
        }
    }

    private func check(_ result: CInt, _ path: String) throws {
        try require(result == 0, .cannotWrite, "\(path) cannot be moved or changed: \(systemMessage()).")
    }
}
