import Authorization
import Dispatch
import Foundation
import Glibc
import Logging
import ServiceLifecycle
import SocketAPI

/// Carries the indicator to its file and to the desktop, and the mute to the indicator.
struct IndicatorService: Service {
    let board: IndicatorBoard
    let gate: Gate
    /// `nil`: there are several users, each of whom sees their own by the socket alone.
    let file: IndicatorFile?
    /// `nil`: the person does not want any.
    let notification: BackgroundNotification?
    let logger: Logger

    func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await followMute() }
            group.addTask { await followSessions() }
        }
        await file?.remove()
    }

    private func followMute() async {
        let changes = gate.history.signals()
        board.setMuted(await gate.isMuted)
        for await _ in changes.cancelOnGracefulShutdown() { board.setMuted(await gate.isMuted) }
    }

    private func followSessions() async {
        var hasFailed = false
        for await reply in board.states(ofUser: geteuid()).cancelOnGracefulShutdown() {
            do {
                try await file?.write(IndicatorBar(reply))
                hasFailed = false
            } catch {
                if !hasFailed { logger.error("\(error)") }
                hasFailed = true
            }
            await notification?.update(reply)
        }
    }
}

/// `indicator.json`: the indicator for programs that read files. Only this user can read it.
///
/// It is replaced as a whole, so that nobody reads half of it, and is gone when the service is.
final class IndicatorFile: Sendable {
    let path: String
    /// Writing blocks, if only for a moment.
    private let queue = DispatchQueue(label: "voicegate.indicator-file")

    init(path: String) { self.path = path }

    /// - Throws: `ServiceError`
    func write(_ bar: IndicatorBar) async throws {
        let data = try JSONCoding.encoder().encode(bar) + [UInt8(ascii: "\n")]
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.replace(with: data) }) }
        }
    }

    func remove() async {
        await withCheckedContinuation { continuation in
            queue.async {
                unlink(self.path)
                continuation.resume()
            }
        }
    }

    private func replace(with data: Data) throws(ServiceError) {
        let draft = path + ".new"
        // Left behind by a service that was killed; a link that somebody put there is not followed.
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        let count = data.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count == data.count, rename(draft, path) == 0 else {
            let error = failure()
            unlink(draft)
            throw error
        }
    }

    private func failure() -> ServiceError {
        ServiceError(
            code: .indicatorFile,
            message: "The indicator's file \(path) cannot be written: \(String(cString: strerror(errno))). "
                + "Choose another one with --indicator-file.")
    }
}

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
