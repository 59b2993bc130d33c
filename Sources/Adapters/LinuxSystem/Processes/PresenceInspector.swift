import Authorization
import CLinux
import Foundation
import Glibc

/// Decides whether a process is in the user's foreground: by job control at a terminal, by logind's sessions if there are any,
/// and by the desktop's control groups. A process that cannot be inspected is in the background.
///
/// The terminal of a detached tmux counts like any other; with logind it is in the background after its session has ended.
struct PresenceInspector {
    private let root: String
    private let jobs: JobControl
    private let logins: LoginBook
    private let applications: DesktopApplication

    /// - Parameters:
    ///   - proc: where proc is mounted.
    ///   - logins: logind's sessions.
    ///   - groups: where the unified hierarchy of control groups is mounted.
    init(proc: String = "/proc", logins: LoginBook, groups: String = "/sys/fs/cgroup") {
        root = proc
        jobs = JobControl(root: proc)
        self.logins = logins
        applications = DesktopApplication(root: proc, groups: groups)
    }

    /// Reads a few small files of proc without waiting.
    ///
    /// - Parameter user: the user of the process.
    func presence(of process: ProcessIdentity, user: UInt32) -> Presence {
        guard let status = ProcessStatus(of: process, root: root), status.runs else { return .background }
        let isInForeground =
            status.terminal == 0
            ? isAtDesktop(status, user) : jobs.isInForeground(status) && isSessionInUse(process.processIdentifier)
        return isInForeground ? .foreground : .background
    }

    /// Whether the process is of an active session that has a seat and is not locked, or of the manager of a user with such a
    /// session. Without logind nobody is at a seat.
    func isAtActiveSeat(_ process: ProcessIdentity, user: UInt32) -> Bool {
        guard let sessions = logins.sessions, let group = ControlGroup(of: process.processIdentifier, root: root)
        else { return false }
        if let session = group.loginSession { return sessions.isInUseAtSeat(session) }
        return group.managedUser == user && sessions.hasSeatInUse(user: user)
    }

    /// Whether the terminal's session is active and not locked; without logind every session is.
    private func isSessionInUse(_ process: Int32) -> Bool {
        if logins.state == .withoutLogind { return true }
        guard let group = ControlGroup(of: process, root: root) else { return false }
        if let session = group.loginSession { return logins.sessions?.isInUse(session) == true }
        // A terminal window's programs belong to the user's manager and not to one session.
        if let user = group.managedUser { return logins.sessions?.hasSessionInUse(user: user) == true }
        return true
    }

    private func isAtDesktop(_ status: ProcessStatus, _ user: UInt32) -> Bool {
        guard let group = ControlGroup(of: status.processIdentifier, root: root), let unit = group.application,
            group.managedUser == user, logins.sessions?.hasDesktopInUse(user: user) == true
        else { return false }
        return applications.contains(status, in: group, unit: unit)
    }
}

/// Which processes are in the foreground of a terminal, by job control (credentials(7), setpgid(2)).
struct JobControl {
    /// The most ancestors that are inspected; beyond that a process is in the background.
    static let longestChain = 64

    let root: String

    /// Whether the process is in the foreground job of its controlling terminal, or a descendant of it that made its own
    /// process group but kept the terminal.
    ///
    /// A shell at its prompt is in the foreground, and its background jobs are its children in their own groups. So the
    /// search ends at a session's leader and at a process that does job control.
    func isInForeground(_ process: ProcessStatus) -> Bool {
        guard process.terminal != 0, process.foregroundGroup > 0, process.runs else { return false }
        if process.isForegroundJobOfTerminal { return true }
        var child = process
        for _ in 0..<Self.longestChain {
            guard child.parent > 1, let parent = try? ProcessStatus(of: child.parent, root: root),
                parent.session == process.session, parent.terminal == process.terminal,
                // A parent is older than its child; a younger process has a reused identifier.
                parent.startTime <= child.startTime,
                parent.processIdentifier != parent.session, !doesJobControl(parent.processIdentifier)
            else { return false }
            if parent.isForegroundJobOfTerminal { return parent.runs }
            child = parent
        }
        return false
    }

    /// A shell ignores, blocks or handles SIGTTOU, so that it is not stopped when it passes on the terminal (tcsetpgrp(3));
    /// hardly any other program does. A process that cannot be inspected counts as a shell.
    private func doesJobControl(_ process: Int32) -> Bool {
        guard let signals = try? SignalDispositions(of: process, root: root) else { return true }
        return signals.isKept(fromDefault: SIGTTOU)
    }
}
