import Foundation

/// The confinement of a process as AppArmor names it, such as `snap.NAME.APP (enforce)`.
struct AppArmorLabel: Hashable {
    let profile: String
    let isEnforced: Bool

    init(parsing text: String) {
        let line = text.split(whereSeparator: { $0 == "\n" || $0 == "\0" }).first.map(String.init) ?? ""
        isEnforced = line.hasSuffix(" (enforce)")
        profile = line.split(separator: " ").first.map(String.init) ?? ""
    }

    /// - Returns: `nil` without AppArmor.
    init?(of process: Int32, root: String) {
        for name in ["apparmor/current", "current"] {
            if let file = try? RegularFile(path: "\(root)/\(process)/attr/\(name)", limit: 4096) {
                self.init(parsing: String(decoding: file.data, as: UTF8.self))
                return
            }
        }
        return nil
    }

    /// The snap in `snap.NAME.APP`.
    var snap: String? {
        let fields = profile.split(separator: ".")
        return fields.count >= 3 && fields[0] == "snap" ? String(fields[1]) : nil
    }
}
