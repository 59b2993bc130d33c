import Base
import Dispatch
import Foundation

/// A bus of D-Bus: connects when it is first used, and again after a back-off while signals are wanted. It exports nothing.
///
/// A signal can come from any program that may send to this one, also if the rule names a sender (the bus passes on a signal that is
/// addressed to a connection without asking for rules). So a signal is a reason to read the state again, or its `sender` is compared.
///
/// `@unchecked Sendable`: what changes is used on the queue alone.
public final class MessageBus: @unchecked Sendable {
    private let address: String
    private let queue: DispatchQueue
    private var connection: BusConnection?
    /// Whether the bus has answered on this connection.
    private var isGreeted = false
    private var subscriptions: [UInt64: Subscription] = [:]
    private var lastIdentifier: UInt64 = 0
    private var backOff = firstBackOff
    private var isWaiting = false

    private static let firstBackOff = DispatchTimeInterval.milliseconds(100)
    private static let longestBackOff = DispatchTimeInterval.seconds(30)

    private struct Subscription {
        let rules: [BusMatch]
        let continuation: AsyncStream<BusEvent>.Continuation
    }

    /// - Returns: `nil` if there is no such bus here.
    public convenience init?(_ kind: BusKind, environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let address = kind.address(environment) else { return nil }
        self.init(address: address)
    }

    init(address: String) {
        self.address = address
        queue = DispatchQueue(label: "voicegate.bus")
    }

    /// Calls a method. Cancelling the task ends the waiting, not the method.
    public func call(_ call: BusCall, timeout: Duration = .seconds(25)) async throws(BusError) -> BusReply {
        let outcome = Latch<Result<BusReply, BusError>>()
        queue.async { [self] in
            do throws(BusError) {
                try connected().send(call, timeout: timeout) { outcome.set($0) }
            } catch {
                outcome.set(.failure(error))
            }
        }
        return try await withTaskCancellationHandler {
            await outcome.value
        } onCancel: {
            outcome.set(.failure(BusError(.cancelled, "The call was cancelled.")))
        }.get()
    }

    /// All properties of an interface.
    public func properties(
        of interface: String, at path: String, of service: String, timeout: Duration = .seconds(5)
    ) async throws(BusError) -> [String: BusValue] {
        let reply = try await call(
            BusCall(
                service, path, "org.freedesktop.DBus.Properties", "GetAll", [.string(interface)], startsService: false),
            timeout: timeout)
        return reply.values.first?.members ?? [:]
    }

    /// The signals of the rules from now on, with the connection's beginnings and ends. What was sent while it was not connected is
    /// lost, so read the state after each `connected`. For one reader; it ends only with its task.
    public func events(_ rules: [BusMatch]) -> AsyncStream<BusEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: BusEvent.self, bufferingPolicy: .bufferingNewest(BusLimits.signals))
        queue.async { [self] in
            lastIdentifier += 1
            let identifier = lastIdentifier
            subscriptions[identifier] = Subscription(rules: rules, continuation: continuation)
            continuation.onTermination = { [weak self] _ in self?.forget(identifier) }
            if let connection, isGreeted {
                add(identifier, to: connection)
                continuation.yield(.connected)
            } else {
                reconnect()
            }
        }
        return stream
    }

    private func forget(_ identifier: UInt64) { queue.async { [self] in remove(identifier) } }

    private func remove(_ identifier: UInt64) {
        guard let subscription = subscriptions.removeValue(forKey: identifier) else { return }
        for place in subscription.rules.indices { connection?.remove(Self.number(identifier, place)) }
    }

    private func add(_ identifier: UInt64, to connection: BusConnection) {
        guard let subscription = subscriptions[identifier] else { return }
        for (place, rule) in subscription.rules.enumerated() {
            connection.add(rule, Self.number(identifier, place)) { [continuation = subscription.continuation] in
                continuation.yield(.signal($0))
            }
        }
    }

    private static func number(_ identifier: UInt64, _ place: Int) -> UInt64 { identifier << 16 | UInt64(place) }

    private func connected() throws(BusError) -> BusConnection {
        if let connection { return connection }
        let new = try BusConnection(address, on: queue) { [weak self] in self?.ended() }
        connection = new
        // Its answer is the first that the bus can give.
        new.send(BusCall.ofBus("GetId"), timeout: .seconds(25)) { [weak self] in
            if case .success = $0 { self?.greeted() }
        }
        return new
    }

    private func greeted() {
        guard let connection else { return }
        isGreeted = true
        backOff = Self.firstBackOff
        for (identifier, subscription) in subscriptions {
            add(identifier, to: connection)
            subscription.continuation.yield(.connected)
        }
    }

    private func ended() {
        // sd-bus may be what calls this; it is released in a later turn.
        let last = connection
        queue.async { withExtendedLifetime(last) {} }
        connection = nil
        if isGreeted { for subscription in subscriptions.values { subscription.continuation.yield(.disconnected) } }
        isGreeted = false
        reconnect(after: backOff)
    }

    private func reconnect() {
        guard !isWaiting, connection == nil, !subscriptions.isEmpty else { return }
        do throws(BusError) { _ = try connected() } catch { reconnect(after: backOff) }
    }

    private func reconnect(after delay: DispatchTimeInterval) {
        guard !isWaiting, !subscriptions.isEmpty else { return }
        isWaiting = true
        if case .milliseconds(let milliseconds) = delay {
            backOff = milliseconds < 15_000 ? .milliseconds(milliseconds * 2) : Self.longestBackOff
        }
        queue.asyncAfter(deadline: .now() + delay) { [weak self] in
            self?.isWaiting = false
            self?.reconnect()
        }
    }
}

/// Which bus.
public enum BusKind: Sendable, Hashable {
    /// The machine's. `DBUS_SYSTEM_BUS_ADDRESS` names another.
    case system
    /// The user's: `DBUS_SESSION_BUS_ADDRESS`, or the socket `bus` in `XDG_RUNTIME_DIR`.
    case session

    /// Only Unix sockets: other kinds of address start a program, or reach another machine.
    ///
    /// - Returns: `nil`: there is none.
    func address(_ environment: [String: String]) -> String? {
        let variable = self == .system ? "DBUS_SYSTEM_BUS_ADDRESS" : "DBUS_SESSION_BUS_ADDRESS"
        if let named = environment[variable], !named.isEmpty {
            return named.split(separator: ";").allSatisfy { $0.hasPrefix("unix:") } ? named : nil
        }
        let path: String
        switch self {
        case .system: path = "/run/dbus/system_bus_socket"
        case .session:
            guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
            path = folder + "/bus"
        }
        return access(path, F_OK) == 0 ? "unix:path=\(Self.escaped(path))" : nil
    }

    /// "Server Addresses" in the specification.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                return String(UnicodeScalar(byte))
            case _ where "-_/.\\*".utf8.contains(byte): return String(UnicodeScalar(byte))
            default: return "%" + Hexadecimal.encode([byte])
            }
        }.joined()
    }
}

/// A method with its arguments.
public struct BusCall: Sendable, Hashable {
    let destination: String
    let path: String
    let interface: String
    let member: String
    let arguments: [BusValue]
    /// Whether the bus starts the service if it does not run.
    let startsService: Bool

    public init(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
        startsService: Bool = true
    ) {
        (self.destination, self.path, self.interface, self.member) = (destination, path, interface, member)
        (self.arguments, self.startsService) = (arguments, startsService)
    }

    static func ofBus(_ member: String) -> BusCall {
        BusCall("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member)
    }
}

public struct BusReply: Sendable, Hashable {
    public let values: [BusValue]
    /// The unique name of the connection that answered.
    public let sender: String
}

/// Which signals ("Match rules" in the specification); `nil`: any.
public struct BusMatch: Sendable, Hashable {
    let text: String

    /// - Parameters:
    ///   - sender: of broadcasts; see `MessageBus`.
    ///   - first: the first argument.
    public init(
        sender: String? = nil, path: String? = nil, namespace: String? = nil, interface: String,
        member: String? = nil, first: String? = nil
    ) {
        let parts: [(String, String?)] = [
            ("type", "signal"), ("sender", sender), ("path", path), ("path_namespace", namespace),
            ("interface", interface), ("member", member), ("arg0", first),
        ]
        text = parts.compactMap { name, value in
            value.map { "\(name)='\($0.replacingOccurrences(of: "'", with: "'\\''"))'" }
        }.joined(separator: ",")
    }
}

public struct BusSignal: Sendable, Hashable {
    /// The unique name of the connection that sent it.
    public let sender: String
    public let path: String
    public let interface: String
    public let member: String
    public let values: [BusValue]
}

public enum BusEvent: Sendable, Hashable {
    case connected
    case signal(BusSignal)
    case disconnected
}
