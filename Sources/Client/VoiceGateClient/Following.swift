/// Reads the changes, reconnecting as needed, and only as fast as they are taken.
final class Following: Sendable {
    private let handoff = Handoff<PermissionChange>()
    private let task: Task<Void, Never>

    init(service: any SpeechService, reconnection: Reconnection) {
        task = Task { [handoff] in
            await Self.follow(service, reconnection, handoff)
            handoff.finish()
        }
    }

    /// Closes the connection: no reader is left.
    deinit { stop() }

    func next() async -> PermissionChange? { await handoff.take() }

    func stop() {
        task.cancel()
        handoff.finish()
    }

    private static func follow(
        _ service: any SpeechService, _ reconnection: Reconnection, _ handoff: Handoff<PermissionChange>
    ) async {
        var cursor: String?
        var failures = 0
        var isKnownUnreachable = false
        while !Task.isCancelled {
            var wait = Duration.zero
            do {
                for try await event in try await service.permissionEvents(after: cursor) {
                    (failures, isKnownUnreachable) = (0, false)
                    let (change, next) = parts(of: event)
                    if let change, await !handoff.give(change) { return }
                    // After the change was taken: one that was not is requested again.
                    if let next { cursor = next }
                }
            } catch let error as ClientError {
                wait = error.refusal?.retryAfter ?? .zero
                if !isKnownUnreachable, error.code != .disconnected {
                    guard await handoff.give(.unreachable(error)) else { return }
                    isKnownUnreachable = true
                }
            } catch {
                // Cancelled, or a failure of this connection.
            }
            wait = max(wait, reconnection.delay(afterFailures: failures))
            guard (try? await reconnection.sleep(wait)) != nil else { return }
            failures += 1
        }
    }

    private static func parts(of event: PermissionEvent) -> (PermissionChange?, cursor: String?) {
        switch event {
        case .state(let permissions, let cursor): (.state(permissions.states, isMuted: permissions.isMuted), cursor)
        case .changed(let states, let isMuted, let cursor): (.changed(states, isMuted: isMuted), cursor)
        case .resumed(let cursor): (nil, cursor)
        case .gap: (.gap, nil)
        }
    }
}

/// How long `Following` waits before it connects again.
struct Reconnection: Sendable {
    var first: Duration = .milliseconds(100)
    var longest: Duration = .seconds(10)
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    func delay(afterFailures count: Int) -> Duration {
        min(longest, first * (1 << min(count, 10)))
    }
}
