import Foundation
import SystemBus

/// The notification server of the user's desktop (Desktop Notifications Specification, org.freedesktop.Notifications).
public struct NotificationServer: Sendable {
    public enum Outcome: Sendable, Hashable {
        /// The key of the button.
        case pressed(String)
        /// By the user or the server, without a button.
        case closed
    }

    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    private static let limit = Duration.seconds(10)

    private let bus: MessageBus

    /// - Parameter environment: with `DBUS_SESSION_BUS_ADDRESS` or `XDG_RUNTIME_DIR` of the user's session.
    /// - Returns: `nil`: there is no session bus.
    public init?(environment: [String: String]) {
        guard let bus = MessageBus(.session, environment: environment) else { return nil }
        self.bus = bus
    }

    /// What the server can do, such as `actions` and `body-markup`.
    public func capabilities() async throws(BusError) -> [String] {
        let reply = try await bus.call(BusCall(Self.name, Self.path, Self.name, "GetCapabilities"), timeout: Self.limit)
        return reply.values.first?.elements.compactMap(\.text) ?? []
    }

    /// Returns when it is shown.
    public func show(_ notification: DesktopNotification) async throws(BusError) { _ = try await notify(notification) }

    /// Returns when a button is pressed or the notification is closed. Cancelling the task closes it.
    ///
    /// - Throws: `BusError`, also if the server ends meanwhile; `CancellationError`.
    public func ask(_ notification: DesktopNotification) async throws -> Outcome {
        // Before it is shown, so that no signal is missed.
        let events = bus.events([
            BusMatch(path: Self.path, interface: Self.name),
            BusMatch(
                sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
                first: Self.name),
        ])
        // In a task that is not cancelled: otherwise its number would not be known, and it would stay.
        let reply = try await Task { () throws(BusError) in try await notify(notification) }.value
        guard let number = reply.values.first?.number else { throw BusError.withoutNumber }
        for await event in events {
            guard case .signal(let signal) = event else {
                if event == .disconnected { throw BusError.serverEnded }
                continue
            }
            if signal.sender == "org.freedesktop.DBus", signal.values.last?.text != reply.sender {
                throw BusError.serverEnded
            }
            // Any program can send a signal.
            guard signal.sender == reply.sender, signal.values.first?.number == number else { continue }
            switch signal.member {
            case "ActionInvoked": return .pressed(signal.values.last?.text ?? "")
            case "NotificationClosed": return .closed
            default: break
            }
        }
        await Task { await close(number) }.value
        throw CancellationError()
    }

    private func close(_ number: Int64) async {
        let call = BusCall(
            Self.name, Self.path, Self.name, "CloseNotification", [.uint32(UInt32(truncatingIfNeeded: number))])
        // It may be closed already.
        _ = try? await bus.call(call, timeout: Self.limit)
    }

    private func notify(_ notification: DesktopNotification) async throws(BusError) -> BusReply {
        try await bus.call(
            BusCall(
                Self.name, Self.path, Self.name, "Notify",
                [
                    .string("VoiceGate"), .uint32(0), .string("audio-input-microphone"), .string(notification.summary),
                    .string(notification.body),
                    .strings(notification.buttons.flatMap { [$0.key, $0.label] }),
                    .properties(notification.isCritical ? ["urgency": .byte(2)] : [:]),
                    // Never, or as the server has it.
                    .int32(notification.isCritical ? 0 : -1),
                ]), timeout: Self.limit)
    }
}

extension BusError {
    fileprivate static let withoutNumber = BusError(.unreadable, "The notification server's answer has no number.")
    fileprivate static let serverEnded = BusError(.disconnected, "The notification server has ended.")
}
