import Foundation

/// What logind knows of sessions and users, read from its files: `ACTIVE=1` and `TYPE=wayland` in `sessions/N`,
/// `ACTIVE_SESSIONS=2` in `users/UID` (sd-login(3) reads the same ones).
struct LoginSessions {
    /// `/run/systemd`.
    let root: String

    /// Whether there is a logind. Without one, nobody knows of sessions.
    var areKnown: Bool { (try? FileMetadata(path: root + "/sessions"))?.isDirectory ?? false }

    /// Whether the person is at the session now: it has the screen, or is a remote one. What cannot be read is not.
    func isActive(_ session: Substring) -> Bool { fields(of: "sessions/\(session)")?["ACTIVE"] == "1" }

    /// Whether one of the user's sessions is active.
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
        guard let file = try? RegularFile(path: "\(root)/\(name)", limit: 16_384) else { return nil }
        let lines = String(decoding: file.data, as: UTF8.self).split(separator: "\n")
        return Dictionary(
            lines.compactMap { line in
                let parts = line.split(separator: "=", maxSplits: 1)
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }, uniquingKeysWith: { first, _ in first })
    }
}
