import Foundation
import Glibc
import SocketAPI

/// Tells the person, once for each session, that a program listens in the background: by notify-send(1), where there is
/// one and a desktop to show it.
actor BackgroundNotification {
    private let program: String?
    private let environment: [String: String]
    private let patience: @Sendable () async -> Void
    private var latest: [String: IndicatorReply.Session] = [:]
    /// Sessions that were told of, for as long as they run.
    private var told: Set<String> = []

    /// - Parameter patience: waited for before anything is said; a session that is about to be paused, because its client
    ///   has just left the foreground, does not go on.
    init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        patience: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(1)) }
    ) {
        self.environment = environment
        self.patience = patience
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }
        program = folders.map { "\($0)/notify-send" }.first { access($0, X_OK) == 0 }
    }

    func update(_ reply: IndicatorReply) {
        let running = reply.sessions.filter(\.isRunning)
        latest = Dictionary(running.map { ($0.session, $0) }, uniquingKeysWith: { first, _ in first })
        told.formIntersection(latest.keys)
        for session in running where Self.isToldOf(session) && !told.contains(session.session) {
            Task { await tell(session.session) }
        }
    }

    /// A file that is transcribed hears nobody.
    private static func isToldOf(_ session: IndicatorReply.Session) -> Bool {
        session.goesOnInBackground && session.device != nil
    }

    private func tell(_ identifier: String) async {
        await patience()
        guard let session = latest[identifier], Self.isToldOf(session), told.insert(identifier).inserted else { return }
        notify(session)
    }

    /// Whether there may be a session bus; notify-send would otherwise start one of its own.
    private var hasBus: Bool {
        if environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false { return true }
        return environment["XDG_RUNTIME_DIR"].map { access($0 + "/bus", F_OK) == 0 } ?? false
    }

    private func notify(_ session: IndicatorReply.Session) {
        guard let program, hasBus else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.environment = environment
        let body =
            "\(session.client), process \(session.processIdentifier)\(session.device.map { ", on \($0)" } ?? ""). "
            + "To stop it: voicegate settings \(session.client) --deny microphone"
        // A name may begin with a hyphen; and a body is markup (Desktop Notifications Specification), a summary is not.
        // The tool reads backslashes in a body as C does (g_strcompress).
        let markup = body.replacing("\\", with: "\\\\").replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
        process.arguments = [
            "--app-name=VoiceGate", "--icon=audio-input-microphone", "--",
            "“\(session.name)” listens in the background", markup,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // Nothing depends on whether it is shown; the bars and the log say the same.
        try? process.run()
    }
}
