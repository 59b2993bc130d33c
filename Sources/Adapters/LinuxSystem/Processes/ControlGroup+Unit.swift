import Authorization

extension ControlGroup {
    /// The service that the process belongs to. Scopes are none: whoever starts a program makes one around it.
    ///
    /// - Parameter user: whose process it is; units of another user's manager do not count.
    func unit(ofUser user: UInt32) -> SystemdUnit? {
        let parts = path.split(separator: "/")
        // Outside of what this service can see, or removed meanwhile.
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

    /// The snap's name in `snap.NAME.APP-….scope` or `snap.NAME.APP.service`. Any program of the user can make such a
    /// scope.
    var snap: String? {
        for part in path.split(separator: "/") where part.hasPrefix("snap.") {
            let fields = part.split(separator: ".")
            guard fields.count >= 4, part.hasSuffix(".scope") || part.hasSuffix(".service") else { continue }
            return String(fields[1])
        }
        return nil
    }

    /// Whether it is the scope that Flatpak makes around an application.
    var isFlatpak: Bool { path.split(separator: "/").contains { $0.hasPrefix("app-flatpak-") } }
}
