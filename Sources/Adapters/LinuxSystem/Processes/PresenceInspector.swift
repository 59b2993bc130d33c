import Authorization

/// Tells whether the person has a process before them: by the kernel's job control at a terminal, by logind's sessions
/// where there are any, and by the desktop's control groups. What cannot be read is in the background.
///
/// A terminal nobody looks at, such as that of a detached tmux, is a terminal like any other here; with logind it is in the
/// background once its session has ended.
struct PresenceInspector {
    private let root: String
    private let jobs: JobControl
    private let sessions: LoginSessions
    private let applications: DesktopApplication

    /// - Parameters:
    ///   - proc: where proc is mounted.
    ///   - systemd: where systemd and logind keep what they know.
    ///   - groups: where the unified hierarchy of control groups is mounted.
    init(proc: String = "/proc", systemd: String = "/run/systemd", groups: String = "/sys/fs/cgroup") {
        root = proc
        jobs = JobControl(root: proc)
        sessions = LoginSessions(root: systemd)
        applications = DesktopApplication(root: proc, groups: groups)
    }

    /// A few small files of proc; nothing waits.
    ///
    /// - Parameter user: whose desktop it would be.
    func presence(of process: ProcessIdentity, user: UInt32) -> Presence {
        guard let status = try? ProcessStatus(of: process.processIdentifier, root: root),
            status.startTime == process.startTime, status.runs
        else { return .background }
        let isInForeground =
            status.terminal == 0
            ? isAtDesktop(status, user) : jobs.isInForeground(status) && isSessionActive(process.processIdentifier)
        return isInForeground ? .foreground : .background
    }

    /// Whether the person is at the session that the terminal belongs to; without logind nobody says that they are not.
    private func isSessionActive(_ process: Int32) -> Bool {
        guard sessions.areKnown else { return true }
        guard let group = ControlGroup(of: process, root: root) else { return false }
        if let session = group.loginSession { return sessions.isActive(session) }
        // A terminal window's programs belong to the user's session manager and not to one session.
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
