import ArgumentParser
import CLinux
import Glibc
import LinuxSystem
import Synchronization

import class Foundation.ProcessInfo

/// Of commands whose text can be longer than the screen.
struct PagingOptions: ParsableArguments {
    @Flag(help: "Print at once, also at a terminal. (default: by $VOICEGATE_PAGER, $PAGER or less)")
    var noPager = false

    func pager(_ options: GlobalOptions) -> Pager? { pager(options.outputOptions) }

    /// - Returns: `nil` if the results do not go to a terminal, or are for a program.
    func pager(_ options: OutputOptions) -> Pager? {
        guard !noPager, !options.json, isatty(STDOUT_FILENO) == 1 else { return nil }
        return Pager(environment: ProcessInfo.processInfo.environment)
    }
}

/// A program that shows long text screen by screen. It is started with the first line, so that errors before it are plain.
final class Pager: Sendable {
    private enum State {
        case waiting
        case running(process: pid_t, input: CInt)
        case over
    }

    private let command: String
    private let environment: [String: String]
    private let state = Mutex(State.waiting)
    /// What SIGINT did before.
    private let interruption = Mutex<(@convention(c) (CInt) -> Void)?>(nil)

    /// - Returns: `nil` if the environment has none, or its terminal cannot be used for one.
    init?(environment: [String: String]) {
        guard let command = Self.command(environment) else { return nil }
        self.command = command
        // As git does: ends if the text fits the screen, shows colours, leaves the text on the screen.
        var environment = environment.merging(["LESS": "FRX"]) { present, _ in present }
        if Self.isForAnother(environment) {
            for name in ["LESS", "LESSOPEN", "LESSCLOSE"] { environment[name] = nil }
            environment.merge(["LESS": "FRX", "LESSSECURE": "1"]) { $1 }
        }
        self.environment = environment
    }

    /// Whether sudo(8), pkexec(1) or doas(1) runs this for a user who may not be allowed anything else: the pager then starts no
    /// commands, and is not the user's.
    private static func isForAnother(_ environment: [String: String]) -> Bool {
        ["SUDO_UID", "PKEXEC_UID", "DOAS_USER"].contains { environment[$0] != nil }
    }

    /// - Returns: a command for the shell.
    static func command(_ environment: [String: String]) -> String? {
        guard !["", "dumb"].contains(environment["TERM"] ?? "") else { return nil }
        let path = environment["PATH"] ?? "/usr/bin:/bin"
        let chosen = isForAnother(environment) ? nil : environment["VOICEGATE_PAGER"] ?? environment["PAGER"]
        let command = chosen ?? (ProgramEnvironment.find("less", in: path) == nil ? "" : "less")
        // A program that is not installed would show nothing.
        let isName = command.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
        if isName, ProgramEnvironment.find(command, in: path) == nil { return nil }
        return ["", "cat"].contains(command) ? nil : command
    }

    /// - Returns: where its text is written; `nil` if it cannot be started, or has ended.
    func started() -> Descriptor? {
        state.withLock { state in
            if case .waiting = state {
                state = spawn().map { .running(process: $0, input: $1) } ?? .over
                // Ctrl-C is for the pager; when it ends, its input is closed.
                if case .running = state { interruption.withLock { $0 = signal(SIGINT, SIG_IGN) } }
            }
        }
        return input
    }

    /// `nil` unless it runs.
    var input: Descriptor? {
        state.withLock { state in
            guard case .running(_, let input) = state else { return nil }
            return Descriptor(rawValue: input)
        }
    }

    /// Returns when the user has left it.
    func finish() {
        let last = state.withLock { state in
            defer { state = .over }
            return state
        }
        guard case .running(let process, let input) = last else { return }
        close(input)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
        if let former = interruption.withLock({ $0.take() }) { signal(SIGINT, former) }
    }

    private func spawn() -> (pid_t, CInt)? {
        var ends: [CInt] = [-1, -1]
        guard vg_pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        let pager = ProgramStart(
            ["/bin/sh", "-c", command], environment: environment, descriptors: [ends[0], STDOUT_FILENO, STDERR_FILENO])
        guard let process = try? pager.start() else {
            close(ends[1])
            return nil
        }
        return (process, ends[1])
    }
}
