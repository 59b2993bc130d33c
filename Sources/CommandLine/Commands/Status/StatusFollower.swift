import SocketAPI
import VoiceGateClient

/// Shows how things stand, and each change: of what may be done, and of what listens.
struct StatusFollower: Sendable {
    let client: VoiceGateClient
    let output: Output

    private enum Change: Sendable {
        case authorization(AuthorizationReply)
        case indicator(IndicatorReply)
    }

    func run() async throws {
        let (changes, continuation) = AsyncThrowingStream.makeStream(of: Change.self)
        let authorization = AuthorizationReplies(events: try await client.authorizationChanges())
        let indicator = try await client.indicatorChanges()
        let tasks = [
            Task { await forward(authorization, Change.authorization, continuation) },
            Task { await forward(indicator, Change.indicator, continuation) },
        ]
        defer { for task in tasks { task.cancel() } }
        var report: (authorization: AuthorizationReply?, indicator: IndicatorReply?)
        for try await change in changes {
            switch change {
            case .authorization(let reply):
                report.authorization = reply
                if !output.isJSON { try show(StatusText.lines(reply)) }
            case .indicator(let reply):
                report.indicator = reply
                if !output.isJSON { try show(StatusText.lines(reply)) }
            }
            if output.isJSON, let authorization = report.authorization, let indicator = report.indicator {
                try output.json(StatusReport(authorization: authorization, indicator: indicator))
            }
        }
    }

    private func show(_ lines: [String]) throws {
        for line in lines { try output.line(line) }
    }

    private func forward<Replies: AsyncSequence & Sendable>(
        _ replies: Replies, _ change: (Replies.Element) -> Change,
        _ continuation: AsyncThrowingStream<Change, any Error>.Continuation
    ) async {
        do {
            for try await reply in replies { continuation.yield(change(reply)) }
            continuation.finish()
        } catch {
            continuation.finish(throwing: error)
        }
    }
}
