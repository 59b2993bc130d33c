import Authorization
import Glibc

/// Finds the program that started a process, among its parents within the session: the programs outside of it provide the
/// session, the terminal or the login.
///
/// Interactive shells are skipped. The nearest other program is responsible, also without a manifest: otherwise a program
/// would lend its permission to whatever runs in it.
///
/// So are wrappers: programs of the system, and `sh -c`, whose command is in their own arguments. A program that started one could
/// have started that command itself, so its parent is responsible. A program that runs the code of a file, such as make(1),
/// is not a wrapper: the program that started it may not know that code.
///
/// The first process of a namespace, such as a container's, is not responsible for any other: orphans become its children.
struct ResponsibleProgramSearch {
    static let depthLimit = 32
    /// Those that are the parent of their command; env(1), nice(1) and others become it.
    private static let wrapperNames = ["find", "time", "timeout", "xargs"]

    let root: String
    let programs: ProgramInspector
    /// The shells that root lists (shells(5)); a user's program with a shell's name is not one.
    let shells: [FileMetadata]
    /// By the path that the kernel reports. A user's program with such a name is not one, nor is one in another mount namespace.
    let wrappers: [String: FileMetadata]

    init(root: String, programs: ProgramInspector, shells: String = "/etc/shells", wrappers: String = "/usr/bin") {
        self.root = root
        self.programs = programs
        self.wrappers = Self.wrapperNames.reduce(into: [:]) { found, name in
            let path = wrappers + "/" + name
            guard let file = try? FileMetadata(path: path), file.owner == 0, !file.isWritableByGroup,
                !file.isWritableByAll
            else { return }
            found[path] = file
        }
        let lines = RegularFile.text(shells, limit: 65_536)?.split(separator: "\n") ?? []
        self.shells = lines.prefix(100).compactMap { line in
            line.hasPrefix("/") ? try? FileMetadata(path: String(line)) : nil
        }
    }

    /// - Parameters:
    ///   - own: the program of the process itself; a parent that runs the same one is skipped.
    ///   - use: as for `ProgramInspector.look`, at least `small`. Only the program that is found is read, none that is skipped.
    /// - Throws: `notRead`; other failures are `unknown`.
    func program(
        startedBy process: ProcessIdentity, user: UInt32, own: FileMetadata, _ use: FileUse
    ) throws(ProcessError) -> ResponsibleProgram {
        // The command lines of the shells are read.
        try use.require(.small)
        guard var child = ProcessStatus(of: process, root: root) else { return .unknown }
        let session = child.session
        var wrapper: ProcessIdentity?
        for _ in 0..<Self.depthLimit {
            if child.processIdentifier == session { return .itself(through: wrapper) }
            let identifier = child.parent
            // Outside of the service's namespace.
            if identifier == 0 { return session > 1 ? .unknown : .itself(through: wrapper) }
            guard let parent = try? ProcessStatus(of: identifier, root: root), parent.session == session else {
                // The original parent has ended.
                return .unknown
            }
            // An orphan of any program, or its own child: they look alike, also in a container's session.
            guard let owner = ProcessOwner(of: identifier, root: root), !owner.isFirstOfNamespace else {
                return .unknown
            }
            if owner.user != user {
                // A program of root's, which may act as other users, as su(1) does, started it. Any program can become another
                // user, too: one of its user's subordinate identifiers (subuid(5)).
                return owner.user == 0 || owner.effectiveUser == 0 ? .itself(through: wrapper) : .unknown
            }
            let found: ExaminedProgram
            do {
                found = try programs.examine(parent, user: user, use)
            } catch {
                return .unknown
            }
            var isSkipped = self.isSkipped(found, parent, own: own)
            if !isSkipped, isWrapper(found, parent) {
                isSkipped = true
                wrapper = wrapper ?? parent.identity
            }
            let program = try isSkipped ? nil : identify(found, use)
            guard let later = ProcessStatus(of: child.identity, root: root), later.parent == identifier else {
                return .unknown
            }
            if !isSkipped {
                guard let program else { return .unknown }
                return .program(
                    Caller(
                        process: parent.identity, user: user, executable: program.executable,
                        evidence: program.evidence, unit: program.unit))
            }
            child = parent
        }
        return .unknown
    }

    /// - Returns: `nil` if it cannot be identified.
    private func identify(_ found: borrowing ExaminedProgram, _ use: FileUse) throws(ProcessError) -> InspectedProgram?
    {
        do {
            return try programs.identify(found, use)
        } catch {
            guard error.code == .notRead else { return nil }
            throw error
        }
    }

    private func isSkipped(_ program: borrowing ExaminedProgram, _ status: ProcessStatus, own: FileMetadata) -> Bool {
        program.metadata.isSameFile(as: own) || isForkedShell(program, status) || isInteractiveShell(program, status)
    }

    /// A session's leader is not a wrapper, because it has no parent in the session.
    private func isWrapper(_ program: borrowing ExaminedProgram, _ status: ProcessStatus) -> Bool {
        guard status.processIdentifier != status.session, !program.isSandboxed else { return false }
        if let known = wrappers[program.path] { return program.metadata.isSameFile(as: known) }
        guard program.isBareInterpreter, Interpreter(program: program.path)?.isShell == true,
            shells.contains(where: program.metadata.isSameFile),
            let arguments = ScriptFile.arguments(of: status.processIdentifier, root: root), arguments.count > 2
        else { return false }
        let options = arguments[1]
        return options.hasPrefix("-") && options.dropFirst().allSatisfy("cefux".contains) && options.contains("c")
    }

    /// `( … )` and pipelines: a copy of the shell without an `exec`. Its parent, the shell, is inspected next.
    private func isForkedShell(_ program: borrowing ExaminedProgram, _ status: ProcessStatus) -> Bool {
        guard status.hasNotExecuted, status.processIdentifier != status.session,
            let parent = try? programs.currentProgram(of: status.parent)
        else { return false }
        return parent.isSameFile(as: program.metadata)
            && ScriptFile.arguments(of: status.parent, root: root)
                == ScriptFile.arguments(of: status.processIdentifier, root: root)
    }

    private func isInteractiveShell(_ program: borrowing ExaminedProgram, _ status: ProcessStatus) -> Bool {
        let metadata = program.metadata
        guard program.isBareInterpreter, let interpreter = Interpreter(program: program.path), interpreter.isShell,
            shells.contains(where: metadata.isSameFile),
            let arguments = ScriptFile.arguments(of: status.processIdentifier, root: root)
        else { return false }
        // Terminals, ssh and script(1) start a session with `sh -c` and the user's command.
        if status.processIdentifier == status.session { return true }
        guard interpreter.code(in: arguments) == .input, status.terminal != 0 else { return false }
        // Its standard input is its terminal and not a script. A service of all users may not look at that of another user:
        // there it is the shell that login(1) or su(1) has started, as root, in their own session.
        let input = "\(root)/\(status.processIdentifier)/fd/0"
        errno = 0
        if let terminal = ProcessStatus.terminal(at: input) { return terminal == status.terminal }
        return errno == EACCES && ProcessOwner(of: status.parent, root: root)?.user == 0
    }
}

/// The program that started VoiceGate's command line.
public enum ResponsibleProgram: Sendable {
    /// The user started it in the terminal.
    ///
    /// - Parameter through: a wrapper that the user typed in front of it, such as xargs(1).
    case itself(through: ProcessIdentity?)
    /// A program started it. `Caller.process` is that program's.
    case program(Caller)
    /// The program has ended, may have ended, or cannot be inspected.
    case unknown
}

/// The ancestry of processes at this moment.
///
/// A process whose parent has ended gets another parent, so a daemon leaves its process tree. Where processes must not be
/// related, other conditions are checked, too.
public enum ProcessLineage {
    /// The most generations; beyond that two processes count as related.
    private static let deepest = 512

    /// Whether one of the two is the other, or descends from it.
    ///
    /// - Parameter root: where proc is mounted.
    public static func areRelated(_ one: ProcessIdentity, _ other: ProcessIdentity, root: String = "/proc") -> Bool {
        one == other || descends(one, from: other, root) || descends(other, from: one, root)
    }

    /// Whether a process that runs the program is an ancestor: the file itself, or the script if an argument leads to it, or has
    /// its name in a folder that the process may have left since. Waits for no file.
    ///
    /// - Parameter root: where proc is mounted.
    public static func descends(_ process: ProcessIdentity, fromProgram path: String, root: String = "/proc") -> Bool {
        hasAncestor(process, root) { parent in
            LinkTarget.of("\(root)/\(parent.processIdentifier)/exe") == path
                || ScriptFile.arguments(of: parent.processIdentifier, root: root)?.contains {
                    leads($0, of: parent.processIdentifier, to: path, root)
                } == true
        }
    }

    private static func leads(_ argument: String, of process: Int32, to path: String, _ root: String) -> Bool {
        if argument == path { return true }
        let isRelative = !argument.hasPrefix("/")
        if isRelative, argument.split(separator: "/").last == path.split(separator: "/").last { return true }
        guard !argument.isEmpty, let file = try? FileUse.cached.metadata(of: path) else { return false }
        let folder = isRelative ? LinkTarget.of("\(root)/\(process)/cwd").map { $0 + "/" } : ""
        return folder.flatMap { try? FileUse.cached.metadata(of: $0 + argument) }?.isSameFile(as: file) == true
    }

    private static func descends(_ process: ProcessIdentity, from ancestor: ProcessIdentity, _ root: String) -> Bool {
        hasAncestor(process, root) { $0.identity == ancestor }
    }

    private static func hasAncestor(
        _ process: ProcessIdentity, _ root: String, where isIt: (ProcessStatus) -> Bool
    ) -> Bool {
        guard var status = ProcessStatus(of: process, root: root) else { return false }
        for _ in 0..<deepest {
            guard status.parent > 0, let parent = try? ProcessStatus(of: status.parent, root: root) else {
                return false
            }
            if isIt(parent) { return true }
            status = parent
        }
        return true
    }
}
