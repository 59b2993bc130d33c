import Foundation

/// The control group that systemd put a process into, as `/proc/PID/cgroup` has it (cgroups(7)).
struct ControlGroup: Hashable {
    /// Path below the hierarchy's root, such as `/user.slice/user-1000.slice/session-2.scope`.
    let path: String

    /// Takes systemd's own hierarchy where there is one beside the unified one.
    ///
    /// - Returns: `nil` when the text names neither.
    init?(parsing text: String) {
        func path(ofHierarchy names: String) -> String? {
            for line in text.split(separator: "\n") {
                let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
                if fields.count == 3, fields[1] == names, fields[2].hasPrefix("/") { return String(fields[2]) }
            }
            return nil
        }
        guard let path = path(ofHierarchy: "name=systemd") ?? path(ofHierarchy: "") else { return nil }
        self.path = path
    }

    /// - Parameter root: where proc is mounted.
    init?(of process: Int32, root: String) {
        guard let file = try? RegularFile(path: "\(root)/\(process)/cgroup", limit: 16_384) else { return nil }
        self.init(parsing: String(decoding: file.data, as: UTF8.self))
    }

    private var units: [Substring] { path.split(separator: "/") }

    /// `2` in `…/session-2.scope`: the login session, as logind names it.
    var loginSession: Substring? {
        for unit in units where unit.hasPrefix("session-") && unit.hasSuffix(".scope") {
            let name = unit.dropFirst("session-".count).dropLast(".scope".count)
            // It becomes a file's name.
            return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } && !name.isEmpty ? name : nil
        }
        return nil
    }

    /// `1000` below `user@1000.service`: whose session manager started it.
    var managedUser: UInt32? {
        for unit in units where unit.hasPrefix("user@") && unit.hasSuffix(".service") {
            return UInt32(unit.dropFirst("user@".count).dropLast(".service".count))
        }
        return nil
    }

    /// The unit of a desktop application, such as `app-gnome-org.example.Editor-4711.scope`; by the convention of
    /// <https://systemd.io/DESKTOP_ENVIRONMENTS>. One that the desktop started by itself at login is none: nobody asked
    /// for it.
    var application: Substring? {
        guard let slice = units.firstIndex(of: "app.slice"), let unit = units.last, slice < units.count - 1,
            unit.hasPrefix("app-"), unit.hasSuffix(".scope") || unit.hasSuffix(".service"),
            !unit.hasSuffix("@autostart.service")
        else { return nil }
        return unit
    }
}
