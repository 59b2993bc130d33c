import LinuxSystem
import SystemBus

/// A notification of a desktop.
public struct DesktopNotification: Sendable, Hashable {
    /// Never read as markup.
    public var summary: String
    /// Read as markup if the server can.
    public var body: String
    public var buttons: [Button] = []
    /// It stays until it is answered.
    public var isCritical = false

    public struct Button: Sendable, Hashable {
        public let key: String
        public let label: String

        public init(key: String, label: String) { (self.key, self.label) = (key, label) }
    }

    public init(summary: String, body: String) { (self.summary, self.body) = (summary, body) }

    /// Text for a body that is read as markup ("Markup" in the specification).
    public static func escaped(_ text: String) -> String {
        let entities: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;"]
        return text.reduce(into: "") { $0 += entities[$1] ?? String($1) }
    }
}

/// Notifications without buttons on the user's desktop.
public struct DesktopNotices: Sendable {
    private let server: NotificationServer?

    /// - Parameter environment: with the user's session bus, if there is one.
    public init(environment: [String: String]) { server = NotificationServer(environment: environment) }

    /// Returns when it is shown.
    ///
    /// - Parameter body: plain text.
    public func show(_ summary: String, _ body: String) async throws(ProcessError) {
        guard let server else {
            throw ProcessError(
                code: .failed, message: "There is no session bus, so no notification can be shown. Log in at a desktop."
            )
        }
        do throws(BusError) {
            let isMarkup = try await server.capabilities().contains("body-markup")
            try await server.show(
                DesktopNotification(summary: summary, body: isMarkup ? DesktopNotification.escaped(body) : body))
        } catch {
            throw ProcessError(
                code: .failed, message: "The desktop shows no notification: \(error) Start a notification server.")
        }
    }
}
