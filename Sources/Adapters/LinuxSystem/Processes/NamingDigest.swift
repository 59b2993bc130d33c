import Authorization
import Crypto
import Foundation

/// What stands in the place of a program's digest where a name identifies it and not the program's bytes: those who
/// install it answer for them.
enum NamingDigest {
    static func flatpak(_ name: String) -> String { sha256("flatpak:" + name) }

    static func snap(_ name: String) -> String { sha256("snap:" + name) }

    /// - Parameter program: the digest of what it runs. Root answers for the system's units; in a user's own manager any
    ///   program of that user can take a unit's name, so there the program still counts.
    static func unit(_ unit: SystemdUnit, running program: String) -> String {
        switch unit.manager {
        case .system: sha256("systemd:" + unit.name)
        case .user: sha256("systemd-user:" + unit.name + "\n" + program)
        }
    }

    private static func sha256(_ text: String) -> String {
        Hexadecimal.text(SHA256.hash(data: Data(text.utf8)))
    }
}
