import Authorization
import Foundation
import LinuxSystem
import Logging
import Prompting
import Server
import ServiceLifecycle
import SocketAPI

/// Passes the indicator's state to its file and to the desktop, and the mutes to the indicator.
package struct IndicatorService: Service {
    private let board: IndicatorBoard
    private let gate: Gate
    private let file: IndicatorFile?
    private let notification: BackgroundNotification?
    private let logger: Logger

    /// - Parameters:
    ///   - file: the path of the indicator's file; `nil`: the service has several users, who see their own sessions only over
    ///     the socket.
    ///   - notifies: whether the desktop notifies the user of a program that listens in the background.
    package init(board: IndicatorBoard, gate: Gate, file: String?, notifies: Bool, logger: Logger) {
        (self.board, self.gate, self.logger) = (board, gate, logger)
        self.file = file.map { IndicatorFile(path: $0) }
        notification = notifies ? BackgroundNotification() : nil
    }

    package func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await followMutes() }
            // Every program of the user can read the file; the notifications are for the user.
            group.addTask { await writeFile() }
            group.addTask { await showNotifications() }
        }
        await file?.remove()
    }

    private func followMutes() async {
        let changes = gate.history.signals()
        board.setMutes(await gate.mutes)
        for await _ in changes.cancelOnGracefulShutdown() { board.setMutes(await gate.mutes) }
    }

    private func writeFile() async {
        guard let file else { return }
        var hasFailed = false
        let states = board.states(for: IndicatorBoard.Audience(user: geteuid(), isPerson: false))
        for await reply in states.cancelOnGracefulShutdown() {
            do {
                try await file.write(IndicatorBar(reply, timeZone: MachineTimeZone.current()))
                hasFailed = false
            } catch {
                if !hasFailed { logger.error("\(error)") }
                hasFailed = true
            }
        }
    }

    private func showNotifications() async {
        guard let notification else { return }
        for await reply in board.states(for: .person(geteuid())).cancelOnGracefulShutdown() {
            await notification.update(reply)
        }
    }
}

/// `indicator.json`: the indicator for programs that read files. Only this user can read it.
///
/// It is replaced atomically, and removed when the service stops.
final class IndicatorFile: Sendable {
    let path: String
    /// Writing blocks.
    private let queue = DispatchQueue(label: "voicegate.indicator-file")

    init(path: String) { self.path = path }

    func write(_ bar: IndicatorBar) async throws {
        let data = try JSONCoding.encoder().encode(bar) + [UInt8(ascii: "\n")]
        try await queue.run { try self.replace(with: data) }
    }

    func remove() async { _ = await queue.run { unlink(self.path) } }

    private func replace(with data: Data) throws(ServiceError) {
        let draft = CompanionFile.path(beside: path, suffix: ".new")
        // A killed service may have left one; a link in its place is not followed.
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
            message: "Cannot write the indicator's file \(path): \(String(cString: strerror(errno))). "
                + "Choose another with --indicator-file.")
    }
}

/// Notifies the user, once for each session, that a program listens in the background, if there is a desktop.
actor BackgroundNotification {
    private let desktop: DesktopNotices
    private let delay: @Sendable () async -> Void
    private var latest: [String: IndicatorReply.Session] = [:]
    private var notified: Set<String> = []

    /// - Parameter delay: before the notification; a session that is paused within it, because its client has just left the
    ///   foreground, is not reported.
    init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        delay: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(1)) }
    ) {
        desktop = DesktopNotices(environment: environment)
        self.delay = delay
    }

    func update(_ reply: IndicatorReply) {
        let running = reply.sessions.filter(\.isRunning)
        latest = Dictionary(running.map { ($0.session, $0) }, uniquingKeysWith: { first, _ in first })
        notified.formIntersection(latest.keys)
        for session in running where session.listensInBackground && !notified.contains(session.session) {
            Task { await notify(session.session) }
        }
    }

    private func notify(_ identifier: String) async {
        await delay()
        guard let session = latest[identifier], session.listensInBackground, notified.insert(identifier).inserted
        else { return }
        let place = session.device.map { ", on \($0)" } ?? ""
        let stop = "To stop it: voicegate settings \(session.client) --deny microphone"
        // Nothing depends on whether it is shown: the indicator and the log have the same.
        if let phrases = session.quotedPhrases {
            try? await desktop.show(
                "VoiceGate listens in the background for “\(phrases)”",
                "It does so for \(session.name) (\(session.client))\(place), which gets nothing of what is heard. \(stop)"
            )
        } else {
            try? await desktop.show(
                "“\(session.name)” listens in the background",
                "\(session.client), process \(session.processIdentifier)\(place). \(stop)")
        }
    }
}
