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
    private let sessions: LoginSessions
    private let applications: DesktopApplication

    /// - Parameters:
    ///   - proc: where proc is mounted.
    ///   - systemd: the state directory of systemd and logind.
    ///   - groups: where the unified hierarchy of control groups is mounted.
    init(proc: String = "/proc", systemd: String = "/run/systemd", groups: String = "/sys/fs/cgroup") {
        root = proc
        jobs = JobControl(root: proc)
        sessions = LoginSessions(root: systemd)
        applications = DesktopApplication(root: proc, groups: groups)
    }

    /// Reads a few small files of proc without waiting.
    ///
    /// - Parameter user: the user of the process.
    func presence(of process: ProcessIdentity, user: UInt32) -> Presence {
        guard let status = ProcessStatus(of: process, root: root), status.runs else { return .background }
        let isInForeground =
            status.terminal == 0
            ? isAtDesktop(status, user) : jobs.isInForeground(status) && isSessionActive(process.processIdentifier)
        return isInForeground ? .foreground : .background
    }

    /// Whether the process is of an active session that has a seat, or of the manager of a user with such a session. Without
    /// logind nobody is at a seat.
    func isAtActiveSeat(_ process: ProcessIdentity, user: UInt32) -> Bool {
        guard let group = ControlGroup(of: process.processIdentifier, root: root) else { return false }
        if let session = group.loginSession { return sessions.isActiveAtSeat(session) }
        return group.managedUser == user && sessions.hasActiveSeat(user: user)
    }

    /// Whether the terminal's session is active; without logind every session is.
    private func isSessionActive(_ process: Int32) -> Bool {
        guard sessions.areKnown else { return true }
        guard let group = ControlGroup(of: process, root: root) else { return false }
        if let session = group.loginSession { return sessions.isActive(session) }
        // A terminal window's programs belong to the user's manager and not to one session.
        if let user = group.managedUser { return sessions.hasActiveSession(user: user) }
        return true
    }

    private func isAtDesktop(_ status: ProcessStatus, _ user: UInt32) -> Bool {
        guard let group = ControlGroup(of: status.processIdentifier, root: root), let unit = group.application,
            group.managedUser == user, sessions.hasActiveDesktop(user: user)
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

/// logind's sessions and users, read from its files: `ACTIVE=1`, `SEAT=seat0` and `TYPE=wayland` in `sessions/N`,
/// `ACTIVE_SESSIONS=2` in `users/UID` (sd-login(3) reads the same ones).
struct LoginSessions {
    let root: String

    var areKnown: Bool { (try? FileMetadata(path: root + "/sessions"))?.isDirectory ?? false }

    /// Whether the session has the screen or is remote; `false` if it cannot be read.
    func isActive(_ session: Substring) -> Bool { fields(of: "sessions/\(session)")?["ACTIVE"] == "1" }

    /// A remote session has no seat (sd_session_get_seat(3)).
    func isActiveAtSeat(_ session: Substring) -> Bool {
        guard let fields = fields(of: "sessions/\(session)") else { return false }
        return fields["ACTIVE"] == "1" && fields["SEAT"]?.isEmpty == false
    }

    func hasActiveSeat(user: UInt32) -> Bool { activeSessions(ofUser: user).contains(where: isActiveAtSeat) }

    func hasActiveSession(user: UInt32) -> Bool { !activeSessions(ofUser: user).isEmpty }

    /// Whether one of the user's active sessions is a desktop.
    func hasActiveDesktop(user: UInt32) -> Bool {
        activeSessions(ofUser: user).contains { session in
            guard let fields = fields(of: "sessions/\(session)"), fields["ACTIVE"] == "1", let type = fields["TYPE"]
            else { return false }
            return ["x11", "wayland", "mir"].contains(type)
        }
    }

    private func activeSessions(ofUser user: UInt32) -> [Substring] {
        let names = fields(of: "users/\(user)")?["ACTIVE_SESSIONS"]?.split(separator: " ") ?? []
        return names.prefix(32).filter { $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } }
    }

    private func fields(of name: String) -> [Substring: Substring]? {
        guard let lines = RegularFile.text("\(root)/\(name)", limit: 16_384)?.split(separator: "\n") else { return nil }
        return Dictionary(
            lines.compactMap { line in
                let parts = line.split(separator: "=", maxSplits: 1)
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }, uniquingKeysWith: { first, _ in first })
    }
}
