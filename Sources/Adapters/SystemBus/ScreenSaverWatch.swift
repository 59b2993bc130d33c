/// Whether the user's desktop has locked or blanked the screen, by the screen savers of its session bus: not every desktop sets
/// logind's `LockedHint`. Any program of the user can say so, too.
public struct ScreenSaverWatch: Sendable {
    /// Each has `GetActive` and the signal `ActiveChanged`.
    private static let services = [
        "org.gnome.ScreenSaver": "/org/gnome/ScreenSaver",
        "org.freedesktop.ScreenSaver": "/org/freedesktop/ScreenSaver",
        "org.cinnamon.ScreenSaver": "/org/cinnamon/ScreenSaver",
        "org.mate.ScreenSaver": "/",
        "org.xfce.ScreenSaver": "/",
    ]

    private let bus: MessageBus

    /// - Parameter bus: the user's.
    public init(_ bus: MessageBus) { self.bus = bus }

    /// Whether one is active, now and after each change, until the task is cancelled.
    public func follow(_ onChange: @Sendable (_ isActive: Bool) async -> Void) async {
        let events = bus.events(Self.services.keys.map { BusMatch(interface: $0, member: "ActiveChanged") })
        var isActive = false
        for await event in events {
            guard event != .disconnected else { continue }
            // A signal may come from any program, so the state is read.
            let now = await self.isActive
            if now != isActive { await onChange(now) }
            isActive = now
        }
    }

    /// Whether one is active now.
    public var isActive: Bool {
        get async {
            for (name, path) in Self.services {
                let call = BusCall(name, path, name, "GetActive", startsService: false)
                if let reply = try? await bus.call(call, timeout: .seconds(2)), reply.values.first?.boolean == true {
                    return true
                }
            }
            return false
        }
    }
}
