import Authorization
import Foundation
import Hummingbird
import Server
import SocketAPI
import Speech
import Synchronization

/// What the indicator shows. Each reader gets the newest state when it is ready for one, so none can block the board.
package final class IndicatorBoard: Sendable {
    /// Who reads the indicator.
    struct Audience: Hashable {
        let user: UInt32
        /// It is the user's own command: others do not see what the user's monitors hear.
        let isPerson: Bool

        static func person(_ user: UInt32) -> Audience { Audience(user: user, isPerson: true) }
    }

    private struct Reader {
        let audience: Audience
        let continuation: AsyncStream<IndicatorReply>.Continuation
        var last: IndicatorReply
    }

    private struct State {
        var timeline = IndicatorTimeline()
        var mutes = Mutes()
        /// Devices that do not close.
        var heldDevices: Set<String> = []
        var presences: [String: @Sendable () async -> Presence] = [:]
        var readers: [UUID: Reader] = [:]
        var isTicking = false
        /// What other programs see of the monitors that notify the user.
        var monitors: [MonitorOwner: IndicatorReply.Session] = [:]
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> ContinuousClock.Instant
    private let sleepUntil: @Sendable (ContinuousClock.Instant) async throws -> Void

    /// How often the presence of clients is read; the kernel does not report changes.
    package static let presenceInterval = Duration.seconds(1)

    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        sleepUntil: @escaping @Sendable (ContinuousClock.Instant) async throws -> Void = {
            try await Task.sleep(until: $0, clock: .continuous)
        }
    ) {
        self.now = now
        self.sleepUntil = sleepUntil
    }

    /// Shows a session, before it listens.
    func begin(_ session: any EndableSession, resources: [Resource], device: String?) {
        let use = IndicatedUse(
            identifier: session.identifier, requester: session.requester, resources: resources, device: device,
            presence: session.requester.presence, startedAt: Date(), sharing: session.sharing,
            phrases: session.phrases, isOfPerson: session.monitorAction == .notify)
        let startsTicking = state.withLock { state in
            state.timeline.begin(use)
            state.presences[use.identifier] = { await session.presence() }
            defer { state.isTicking = true }
            return !state.isTicking
        }
        publish()
        if startsTicking { Task { await tick() } }
    }

    /// - Parameters:
    ///   - hasListened: `false` for one that heard nothing; it is no longer shown.
    ///   - isDeviceHeld: its device did not close; it is shown until that closes.
    func end(_ identifier: String, hasListened: Bool, isDeviceHeld: Bool = false) {
        state.withLock { state in
            if isDeviceHeld { state.timeline.hold(identifier) }
            if !isDeviceHeld { state.timeline.end(identifier, hasListened: hasListened, at: now(), Date()) }
            // It may have closed since.
            state.timeline.release(except: state.heldDevices, at: now(), Date())
            state.presences[identifier] = nil
        }
        publish()
    }

    /// - Parameter devices: all that do not close.
    package func setHeld(_ devices: Set<String>) {
        state.withLock { state in
            state.heldDevices = devices
            state.timeline.release(except: devices, at: now(), Date())
        }
        publish()
    }

    /// The service has paused or resumed a session because of its client's presence.
    func setPaused(_ isPaused: Bool, _ identifier: String) {
        state.withLock { $0.timeline.setPaused(isPaused, identifier) }
        publish()
    }

    func setEngine(_ engine: SpeechEngine, of identifier: String) {
        state.withLock { $0.timeline.setEngine(engine, of: identifier) }
        publish()
    }

    func setMutes(_ mutes: Mutes) {
        let isChanged = state.withLock { state in
            defer { state.mutes = mutes }
            return state.mutes != mutes
        }
        if isChanged { publish() }
    }

    /// What other programs see of a client's monitors that notify the user, from the first moment that one may listen to the last:
    /// one session without phrases.
    ///
    /// - Parameter requester: `nil`: none may listen.
    package func showMonitors(of owner: MonitorOwner, _ requester: Requester?, device: String) {
        state.withLock { state in
            guard let requester else {
                state.monitors[owner] = nil
                return
            }
            guard state.monitors[owner] == nil else { return }
            let use = IndicatedUse(
                identifier: UUID().uuidString.lowercased(), requester: requester, resources: Resource.allCases,
                device: device, presence: .background, startedAt: Date())
            state.monitors[owner] = IndicatorReply.Session(monitors: use)
        }
        publish()
    }

    func reply(to audience: Audience) -> IndicatorReply { state.withLock { reply(to: audience, $0) } }

    /// The state at once, and the newest one whenever it has changed.
    func states(for audience: Audience) -> AsyncStream<IndicatorReply> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: IndicatorReply.self, bufferingPolicy: .bufferingNewest(1))
        let identifier = UUID()
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.readers[identifier] = nil }
        }
        state.withLock { state in
            let reply = reply(to: audience, state)
            state.readers[identifier] = Reader(audience: audience, continuation: continuation, last: reply)
            continuation.yield(reply)
        }
        return stream
    }

    private func reply(to audience: Audience, _ state: State) -> IndicatorReply {
        let mute = state.mutes.covering(audience.user)
        let entries = state.timeline.entries(ofUser: audience.user, at: now())
        var sessions: [IndicatorReply.Session]
        if audience.isPerson {
            sessions = entries.map(IndicatorReply.Session.init)
        } else {
            sessions = state.monitors.filter { $0.key.user == audience.user }.values
                .sorted { ($0.startedAt, $0.session) < ($1.startedAt, $1.session) }
            sessions += entries.filter { !$0.use.isOfPerson }.map(IndicatorReply.Session.init)
        }
        return IndicatorReply(sessions: sessions, muted: mute != nil, mutedBy: MutedBy(mute, for: audience.user))
    }

    /// Within the lock, so that no reader gets an older state after a newer one.
    private func publish() {
        state.withLock { state in
            for (identifier, reader) in state.readers {
                let reply = reply(to: reader.audience, state)
                guard reply != reader.last else { continue }
                state.readers[identifier]?.last = reply
                reader.continuation.yield(reply)
            }
        }
    }

    /// Continues until nothing is shown.
    private func tick() async {
        while true {
            // Asked outside the lock: it reads files.
            var presences: [String: Presence] = [:]
            for (identifier, presence) in state.withLock(\.presences) { presences[identifier] = await presence() }
            let wake = state.withLock { state -> ContinuousClock.Instant? in
                let instant = now()
                for (identifier, presence) in presences { state.timeline.setPresence(presence, of: identifier) }
                state.timeline.prune(at: instant)
                guard !state.timeline.isEmpty else {
                    state.isTicking = false
                    return nil
                }
                let looking = state.timeline.hasRunning ? instant + Self.presenceInterval : nil
                return [looking, state.timeline.nextChange(after: instant)].compactMap(\.self).min()
            }
            publish()
            guard let wake else { return }
            // This task is never cancelled.
            try? await sleepUntil(wake)
        }
    }
}

/// `GET /v1/indicator` and `GET /v1/indicator/changes`: what listens, for every process of the user.
package struct IndicatorRoutes {
    private let board: IndicatorBoard

    package init(board: IndicatorBoard) { self.board = board }

    package func add(to routes: Routes) {
        routes.on(.get, "indicator", for: .client) { try Response(json: board.reply(to: audience($0))) }
        routes.follow("indicator/changes", for: .client) { Response(lines: board.states(for: audience($0))) }
    }

    private func audience(_ call: Call) -> IndicatorBoard.Audience {
        IndicatorBoard.Audience(user: call.user, isPerson: call.isPerson)
    }
}
