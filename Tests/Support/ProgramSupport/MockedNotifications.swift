import Foundation
import SystemBus
import TestSupport

/// A notification server by python-dbusmock, whose buttons the test presses.
public final class MockedNotifications: Sendable {
    /// The arguments of Notify.
    public struct Shown: Sendable, Hashable {
        public let summary: String
        public let body: String
        /// `KEY=LABEL`
        public let buttons: [String]
        /// It stays until it is answered.
        public let isCritical: Bool
    }

    /// In order.
    public let shown = Recorder<Shown>()
    /// What was closed by the program.
    public let closed = Recorder<Int64>()
    public let mocked: MockedBus
    private let reading: Task<Void, Never>

    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"

    /// - Parameter press: the key of the button for what is shown; `nil`: it is closed; empty: it stays.
    public init(
        capabilities: String = "actions body body-markup",
        press: @escaping @Sendable (Shown) -> String? = { _ in "" }
    ) async throws {
        let arguments = [
            "--template", "notification_daemon", "--parameters", #"{"capabilities": "\#(capabilities)"}"#,
        ]
        mocked = try await MockedBus(arguments, name: Self.name)
        guard let bus = MessageBus(.session, environment: mocked.environment) else { throw CocoaError(.fileNoSuchFile) }
        let calls = bus.events([BusMatch(interface: "org.freedesktop.DBus.Mock", member: "MethodCalled")])
        reading = Task { [shown, closed] in
            var number: UInt32 = 0
            for await case .signal(let call) in calls {
                let arguments = call.values.last?.elements.map(\.unwrapped) ?? []
                if call.values.first?.text == "CloseNotification" { closed.add(arguments[0].number ?? -1) }
                guard call.values.first?.text == "Notify" else { continue }
                number += 1
                let notification = Shown(arguments)
                shown.add(notification)
                switch press(notification) {
                case "": break
                case nil: await Self.emit("NotificationClosed", [.uint32(number), .uint32(2)], "uu", on: bus)
                case let key?: await Self.emit("ActionInvoked", [.uint32(number), .string(key)], "us", on: bus)
                }
            }
        }
        // The reading has begun.
        _ = try await bus.call(
            BusCall("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId"))
    }

    deinit { reading.cancel() }

    private static func emit(_ member: String, _ arguments: [BusValue], _ types: String, on bus: MessageBus) async {
        _ = try? await bus.call(
            BusCall(
                name, path, "org.freedesktop.DBus.Mock", "EmitSignal",
                [.string(name), .string(member), .string(types), .array(of: "v", arguments.map { .variant($0) })]))
    }
}

extension MockedNotifications.Shown {
    fileprivate init(_ arguments: [BusValue]) {
        let words = arguments[5].elements.compactMap(\.text)
        self.init(
            summary: arguments[3].text ?? "", body: arguments[4].text ?? "",
            buttons: stride(from: 0, to: words.count - 1, by: 2).map { "\(words[$0])=\(words[$0 + 1])" },
            isCritical: arguments[6].members["urgency"]?.number == 2 && arguments[7].number == 0)
    }
}
