import Authorization
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
