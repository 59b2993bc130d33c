/// A service of systemd, as the control group of its processes names it.
public struct SystemdUnit: Sendable, Hashable, CustomStringConvertible {
    public enum Manager: String, Sendable, Hashable {
        /// Only root says what its units run.
        case system
        /// A user's own; any program of that user can start a unit of any name there.
        case user
    }

    public let manager: Manager
    /// With its suffix, such as `notes.service`.
    public let name: String

    /// - Returns: `nil` when the name is none of a service.
    public init?(manager: Manager, name: String) {
        // systemd.unit(5): at most 255 of these characters.
        guard name.hasSuffix(".service"), name.utf8.count > ".service".utf8.count, name.utf8.count <= 255,
            name.unicodeScalars.allSatisfy({
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789:-_.\\@".unicodeScalars.contains($0))
            })
        else { return nil }
        self.manager = manager
        self.name = name
    }

    /// `NAME.service`, or `user/NAME.service` for one of the user's own manager: how manifests write it.
    public init?(_ text: String) {
        if text.hasPrefix("user/") {
            self.init(manager: .user, name: String(text.dropFirst("user/".count)))
        } else {
            self.init(manager: .system, name: text)
        }
    }

    public var description: String { manager == .user ? "user/\(name)" : name }
}
