import Authorization
import Foundation
import LinuxSystem

/// Follows logind's sessions over the system bus (org.freedesktop.login1(5)), and delays the machine's sleep.
///
/// A signal only says that there is something to read: any program can send one.
public final class LoginWatch: Sendable {
    private static let service = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"
    private static let manager = "org.freedesktop.login1.Manager"
    private static let properties = "org.freedesktop.DBus.Properties"
    /// The most sessions that are read, those at this machine first; further ones, over the network, do not count as in use.
    private static let mostSessions = 256
    /// Until it is read again after it could not be read: no signal need follow.
    private static let pause = Duration.seconds(1)

    private let bus: MessageBus?
    /// Whether logind belongs to this machine, although it does not answer.
    private let isExpected: @Sendable () -> Bool

    /// - Parameters:
    ///   - bus: `nil`: there is none.
    ///   - isExpected: default: whether systemd runs this machine (sd_booted(3)).
    public init(
        _ bus: MessageBus? = MessageBus(.system),
        isExpected: @escaping @Sendable () -> Bool = { access("/run/systemd/system", F_OK) == 0 }
    ) {
        (self.bus, self.isExpected) = (bus, isExpected)
    }

    /// The state now, and again after each change, until the task is cancelled. Some changes may be skipped, never the last.
    public func follow(_ onState: @Sendable (LoginState) async -> Void) async {
        guard let bus else { return await onState(await state(after: .withoutLogind)) }
        let events = bus.events([
            BusMatch(
                sender: Self.service, namespace: Self.path, interface: Self.properties, member: "PropertiesChanged"),
            BusMatch(sender: Self.service, path: Self.path, interface: Self.manager),
            BusMatch(
                sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
                first: Self.service),
        ])
        // While the state is read, further signals count as one.
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let collecting = Task {
            for await _ in events { change.yield() }
            change.finish()
        }
        defer { collecting.cancel() }
        func readAgain(after state: LoginState) {
            guard state == .unknown else { return }
            Task {
                try await Task.sleep(for: Self.pause)
                change.yield()
            }
        }
        var state = await state(after: .withoutLogind)
        await onState(state)
        readAgain(after: state)
        for await _ in changes {
            let next = await self.state(after: state)
            // A cancelled call has no answer.
            guard !Task.isCancelled else { return }
            if next != state { await onState(next) }
            state = next
            readAgain(after: state)
        }
    }

    /// Reads the sessions now.
    ///
    /// - Parameter last: stays while logind restarts.
    public func state(after last: LoginState = .withoutLogind) async -> LoginState {
        guard let bus else { return isExpected() ? .unknown : .withoutLogind }
        do throws(BusError) {
            return .known(try await sessions(on: bus))
        } catch {
            guard error.code == .noService else {
                return last == .withoutLogind && !isExpected() ? .withoutLogind : .unknown
            }
            if case .known = last { return last }
            return isExpected() ? .unknown : .withoutLogind
        }
    }

    /// Delays the machine's sleep until the descriptor is closed, at most for logind's `InhibitDelayMaxSec`.
    ///
    /// - Returns: `nil` if nothing can be delayed.
    public func delaySleep(why: String) async -> BusDescriptor? {
        let call = BusCall(
            Self.service, Self.path, Self.manager, "Inhibit",
            [.string("sleep"), .string("VoiceGate"), .string(why), .string("delay")], startsService: false)
        guard case .descriptor(let descriptor)? = try? await bus?.call(call, timeout: .seconds(5)).values.first else {
            return nil
        }
        return descriptor
    }

    private func sessions(on bus: MessageBus) async throws(BusError) -> LoginSessions {
        // Before the sessions: on waking a session is locked first.
        let manager = try await bus.properties(of: Self.manager, at: Self.path, of: Self.service)
        let list = try await bus.call(
            BusCall(Self.service, Self.path, Self.manager, "ListSessions", startsService: false), timeout: .seconds(5))
        // Identifier, user's number and name, seat, path. Any user can have many sessions over the network.
        let listed = list.values.first?.elements.map(\.elements).filter { $0.count == 5 } ?? []
        let isHere = { (session: [BusValue]) in session[3].text != "" }
        let ordered = listed.filter(isHere) + listed.filter { !isHere($0) }
        let paths = ordered.prefix(Self.mostSessions).compactMap { $0[4].text }
        var sessions: [LoginSession] = []
        for path in paths {
            do throws(BusError) {
                let fields = try await bus.properties(of: "org.freedesktop.login1.Session", at: path, of: Self.service)
                if let session = LoginSession(fields) { sessions.append(session) }
            } catch {
                // It has ended meanwhile.
                guard error.code == .failed else { throw error }
            }
        }
        return LoginSessions(sessions, isSleeping: manager["PreparingForSleep"]?.boolean == true)
    }
}

extension LoginSession {
    /// - Returns: `nil` if it is not a person's, such as the login screen's.
    fileprivate init?(_ fields: [String: BusValue]) {
        guard let identifier = fields["Id"]?.text, fields["Class"]?.text?.hasPrefix("user") == true,
            let number = fields["User"]?.elements.first?.number, let user = UInt32(exactly: number)
        else { return nil }
        self.init(
            identifier: identifier, user: user, seat: fields["Seat"]?.elements.first?.text ?? "",
            type: fields["Type"]?.text ?? "", isActive: fields["Active"]?.boolean == true,
            isLocked: fields["LockedHint"]?.boolean == true)
    }
}
