import Authorization
import Foundation

/// The control group that systemd put a process into, as `/proc/PID/cgroup` has it (cgroups(7)).
struct ControlGroup: Hashable {
    /// Path below the hierarchy's root, such as `/user.slice/user-1000.slice/session-2.scope`.
    let path: String

    /// Prefers systemd's own hierarchy to the unified one.
    ///
    /// - Returns: `nil` when the text names neither.
    init?(parsing text: String) {
        func path(ofHierarchy names: String) -> String? {
            let lines = text.split(separator: "\n").map {
                $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            }
            return lines.first { $0.count == 3 && $0[1] == names && $0[2].hasPrefix("/") }.map { String($0[2]) }
        }
        guard let path = path(ofHierarchy: "name=systemd") ?? path(ofHierarchy: "") else { return nil }
        self.path = path
    }

    /// - Parameter root: where proc is mounted.
    init?(of process: Int32, root: String) {
        guard let text = RegularFile.text("\(root)/\(process)/cgroup", limit: 16_384) else { return nil }
        self.init(parsing: text)
    }

    private var units: [Substring] { path.split(separator: "/") }

    /// `2` in `…/session-2.scope`: the login session, as logind names it.
    var loginSession: Substring? {
        let unit = units.first { $0.hasPrefix("session-") && $0.hasSuffix(".scope") }
        let name = unit?.dropFirst("session-".count).dropLast(".scope".count) ?? ""
        // It becomes a file name.
        return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } && !name.isEmpty ? name : nil
    }

    /// `1000` below `user@1000.service`: the user whose manager started it.
    var managedUser: UInt32? {
        let unit = units.first { $0.hasPrefix("user@") && $0.hasSuffix(".service") }
        return unit.flatMap { UInt32($0.dropFirst("user@".count).dropLast(".service".count)) }
    }

    /// The unit of a desktop application, such as `app-gnome-org.example.Editor-4711.scope`; by the convention of
    /// <https://systemd.io/DESKTOP_ENVIRONMENTS>. An autostarted unit does not count: the user did not start it.
    var application: Substring? {
        guard let slice = units.firstIndex(of: "app.slice"), let unit = units.last, slice < units.count - 1,
            unit.hasPrefix("app-"), unit.hasSuffix(".scope") || unit.hasSuffix(".service"),
            !unit.hasSuffix("@autostart.service")
        else { return nil }
        return unit
    }
}

extension ControlGroup {
    /// The service that the process belongs to. Scopes do not count: any program can create one.
    ///
    /// - Parameter user: the user of the process; units of another user's manager do not count.
    func unit(ofUser user: UInt32) -> SystemdUnit? {
        let parts = units
        // Outside of this service's namespace, or removed.
        guard !parts.contains(".."), !path.hasSuffix(" (deleted)") else { return nil }
        guard let first = parts.firstIndex(where: { !$0.hasSuffix(".slice") }) else { return nil }
        guard parts[first].hasPrefix("user@") else {
            return SystemdUnit(manager: .system, name: String(parts[first]))
        }
        guard parts[first] == "user@\(user).service",
            let second = parts[(first + 1)...].first(where: { !$0.hasSuffix(".slice") })
        else { return nil }
        return SystemdUnit(manager: .user, name: String(second))
    }

    /// The snap's name in `snap.NAME.APP-….scope` or `snap.NAME.APP.service`. Any program of the user can create such a
    /// scope.
    var snap: String? {
        for part in units where part.hasPrefix("snap.") {
            let fields = part.split(separator: ".")
            guard fields.count >= 4, part.hasSuffix(".scope") || part.hasSuffix(".service") else { continue }
            return String(fields[1])
        }
        return nil
    }

    var isFlatpak: Bool { units.contains { $0.hasPrefix("app-flatpak-") } }
}

/// Distinguishes the processes of a desktop application from those that were detached in its terminal windows: both are in the
/// application's control group and have no terminal.
struct DesktopApplication {
    /// The most processes of an application; one with more counts as background.
    static let mostProcesses = 256

    let root: String
    let groups: String

    /// Whether the process is the application's first one, or descends from it through parents in the same group that have
    /// no terminal.
    func contains(_ process: ProcessStatus, in group: ControlGroup, unit: Substring) -> Bool {
        var child = process
        for _ in 0..<JobControl.longestChain {
            guard child.terminal == 0, child.runs else { return false }
            if isFirst(child, group, unit) { return true }
            guard child.parent > 1, let parent = try? ProcessStatus(of: child.parent, root: root),
                parent.startTime <= child.startTime,
                ControlGroup(of: child.parent, root: root) == group
            else { return false }
            child = parent
        }
        return false
    }

    /// A scope's name ends with the identifier of its first process. In a service the oldest process is the first.
    private func isFirst(_ process: ProcessStatus, _ group: ControlGroup, _ unit: Substring) -> Bool {
        if unit.hasSuffix(".scope"), let name = unit.dropLast(".scope".count).split(separator: "-").last,
            let identifier = Int32(name)
        {
            return identifier == process.processIdentifier
        }
        guard let text = RegularFile.text(groups + group.path + "/cgroup.procs", limit: 4096) else { return false }
        let members = text.split(separator: "\n").compactMap { Int32($0) }
        guard members.count <= Self.mostProcesses, members.contains(process.processIdentifier) else { return false }
        return members.allSatisfy { member in
            member == process.processIdentifier
                || (try? ProcessStatus(of: member, root: root)).map { $0.startTime >= process.startTime } ?? true
        }
    }
}
