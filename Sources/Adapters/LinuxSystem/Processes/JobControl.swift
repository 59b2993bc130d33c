import Glibc

/// Which processes the person has before them at a terminal, by the kernel's job control (credentials(7), setpgid(2)).
struct JobControl {
    /// Ancestors looked at; a longer chain is nobody's job.
    static let longestChain = 64

    /// Where proc is mounted.
    let root: String

    /// Whether the process is in the foreground job of its controlling terminal, or below it: a child that made a process
    /// group of its own but kept the terminal.
    ///
    /// A shell that waits at its prompt is in the foreground itself, and its background jobs are its children in groups
    /// of their own, too. So the chain ends at a session's leader and at whatever does job control.
    func isInForeground(_ process: ProcessStatus) -> Bool {
        guard process.terminal != 0, process.foregroundGroup > 0, process.runs else { return false }
        if process.isForegroundJobOfTerminal { return true }
        var child = process
        for _ in 0..<Self.longestChain {
            guard child.parent > 1, let parent = try? ProcessStatus(of: child.parent, root: root),
                parent.session == process.session, parent.terminal == process.terminal,
                // A parent is older than its child; what is younger got the identifier of one that has ended.
                parent.startTime <= child.startTime,
                parent.processIdentifier != parent.session, !doesJobControl(parent.processIdentifier)
            else { return false }
            if parent.isForegroundJobOfTerminal { return parent.runs }
            child = parent
        }
        return false
    }

    /// A shell has to keep itself from being stopped when it hands the terminal around (tcsetpgrp(3)), so it ignores,
    /// blocks or handles SIGTTOU; hardly anything else does. What cannot be read counts as a shell.
    private func doesJobControl(_ process: Int32) -> Bool {
        guard let signals = try? SignalDispositions(of: process, root: root) else { return true }
        return signals.isKept(fromDefault: SIGTTOU)
    }
}
