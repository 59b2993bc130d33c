import Foundation

/// Tells the programs of a desktop application from what was detached in its terminal windows: both live in the
/// application's control group, and neither has a terminal.
struct DesktopApplication {
    /// Processes of an application that are looked at; one with more is not judged.
    static let mostProcesses = 256

    /// Where proc is mounted.
    let root: String
    /// Where the unified hierarchy of control groups is mounted.
    let groups: String

    /// Whether the process is the application's first one, or came from it by parents in the same group that have no
    /// terminal either.
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

    /// A desktop that starts a program by a scope has its identifier in the scope's name. Else the oldest is the first.
    private func isFirst(_ process: ProcessStatus, _ group: ControlGroup, _ unit: Substring) -> Bool {
        if unit.hasSuffix(".scope"), let name = unit.dropLast(".scope".count).split(separator: "-").last,
            let identifier = Int32(name)
        {
            return identifier == process.processIdentifier
        }
        guard let file = try? RegularFile(path: groups + group.path + "/cgroup.procs", limit: 4096) else {
            return false
        }
        let members = String(decoding: file.data, as: UTF8.self).split(separator: "\n").compactMap { Int32($0) }
        guard members.count <= Self.mostProcesses, members.contains(process.processIdentifier) else { return false }
        return members.allSatisfy { member in
            member == process.processIdentifier
                || (try? ProcessStatus(of: member, root: root)).map { $0.startTime >= process.startTime } ?? true
        }
    }
}
