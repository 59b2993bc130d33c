import Dictation
import Foundation
import SocketAPI
import VoiceGateClient

/// One dictation from its request to its end, with the signals that steer it.
struct DictationRun: Sendable {
    let client: VoiceGateClient
    let output: Output
    let display: DictationDisplay

    func run(_ request: DictationRequest, _ signals: SignalWatch) async throws {
        let steering = SessionSteering(client: client)
        let reading = Task { try await read(request, steering) }
        signals.handle { _ in
            Task {
                // The first lets the recogniser finish what was said; a later one does not wait for it.
                if await !steering.endOrCancel() { reading.cancel() }
            }
        }
        let ending: DictationEnding?
        do {
            ending = try await reading.value
        } catch {
            throw reading.isCancelled ? CommandError.interrupted : error
        }
        output.clearLive()
        guard let ending else { throw reading.isCancelled ? CommandError.interrupted : ClientError.disconnected }
        let status = ExitStatus(ending)
        if status != .success { throw CommandError.alreadyTold(status) }
    }

    private func read(_ request: DictationRequest, _ steering: SessionSteering) async throws -> DictationEnding? {
        var display = display
        for try await event in try await client.dictate(request) {
            if case .started(let session, _, _) = event.event { await steering.began(session) }
            if output.isJSON { try output.json(event) }
            for action in display.actions(for: event.event) {
                switch action {
                case .text(let text): if !output.isJSON { try output.line(text) }
                case .live(let text): output.live(text)
                case .note(let text): output.note(text)
                case .warning(let text): output.warn(text)
                }
            }
            if case .ended(let ending, _) = event.event { return ending }
        }
        return nil
    }
}
