import Foundation
import Glibc
import SocketAPI

/// Tells the person, once for each session, that a program listens in the background: by notify-send(1), where there is
/// one and a desktop to show it.
actor BackgroundNotification {
    private let program: String?
    private let environment: [String: String]
    /// Sessions that were told of, for as long as they run.
    private var told: Set<String> = []

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.environment = environment
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }
        program = folders.map { "\($0)/notify-send" }.first { access($0, X_OK) == 0 }
    }

    func update(_ reply: IndicatorReply) {
        let running = reply.sessions.filter(\.isRunning)
        told.formIntersection(running.map(\.session))
        for session in running where session.presence == .background && told.insert(session.session).inserted {
            notify(session)
        }
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
        let resource = session.device == nil ? "speechRecognition" : "microphone"
        let body =
            "\(session.client), process \(session.processIdentifier)\(session.device.map { ", on \($0)" } ?? ""). "
            + "To stop it: voicegate settings \(session.client) --deny \(resource)"
        // A name may begin with a hyphen; and a body is markup (Desktop Notifications Specification), a summary is not.
        let markup = body.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
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
