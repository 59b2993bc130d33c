import CSystemBus
import Dispatch
import Glibc

/// One connection to a bus, and the only owner of its `sd_bus`. sd-bus calls nothing that waits: the descriptor and the timeout that it
/// names are watched on the queue (sd_bus_get_fd(3), sd_bus_process(3)).
///
/// `@unchecked Sendable`: all of it is used on the queue alone, and `deinit` runs when nothing else can use it.
final class BusConnection: @unchecked Sendable {
    typealias Reply = @Sendable (Result<BusReply, BusError>) -> Void

    private let bus: OpaquePointer
    private let queue: DispatchQueue
    private let onEnd: @Sendable () -> Void
    private var reading: (any DispatchSourceRead)?
    private var writing: (any DispatchSourceWrite)?
    private var timer: (any DispatchSourceTimer)?
    /// By the call's cookie.
    private var replies: [UInt64: Reply] = [:]
    private var matches: [UInt64: Match] = [:]
    private var hasEnded = false

    /// sd-bus has its address while the slot exists.
    private final class Match {
        let receive: @Sendable (BusSignal) -> Void
        var slot: OpaquePointer?

        init(_ receive: @escaping @Sendable (BusSignal) -> Void) { self.receive = receive }
        deinit { sd_bus_slot_unref(slot) }
    }

    /// Begins to connect. Messages that are sent meanwhile wait for the end of that.
    ///
    /// - Parameter onEnd: called on the queue, once, unless it is released before.
    init(_ address: String, on queue: DispatchQueue, onEnd: @escaping @Sendable () -> Void) throws(BusError) {
        var new: OpaquePointer?
        let number = sd_bus_new(&new)
        guard number >= 0, let new else { throw BusError(.disconnected, number) }
        (bus, self.queue, self.onEnd) = (new, queue, onEnd)
        for number in [sd_bus_set_address(bus, address), sd_bus_set_bus_client(bus, 1), sd_bus_start(bus)]
        where number < 0 {
            throw BusError(.disconnected, number)
        }
        // A copy: a source may use its descriptor until its cancellation has been handled.
        guard let source = Self.copy(sd_bus_get_fd(bus)) else { throw BusError(.disconnected, -errno) }
        let reading = DispatchSource.makeReadSource(fileDescriptor: source, queue: queue)
        reading.setEventHandler { [weak self] in self?.process() }
        reading.setCancelHandler { close(source) }
        reading.resume()
        self.reading = reading
        // What sd-bus has to write first is written in the next turn, when this is stored.
        queue.async { [weak self] in self?.process() }
    }

    deinit {
        reading?.cancel()
        writing?.cancel()
        timer?.cancel()
        matches = [:]
        sd_bus_close_unref(bus)
    }

    func send(_ call: BusCall, timeout: Duration, reply: @escaping Reply) {
        guard !hasEnded else { return reply(.failure(Self.lost)) }
        do throws(BusError) {
            let message = try BusMessage(call, on: bus)
            let microseconds = UInt64(max(1, timeout / .microseconds(1)))
            let number = sd_bus_call_async(
                bus, nil, message.pointer, Self.onReply, Unmanaged.passUnretained(self).toOpaque(), microseconds)
            guard number >= 0 else { throw BusError(number == -EINVAL ? .invalid : .disconnected, number) }
            var cookie: UInt64 = 0
            sd_bus_message_get_cookie(message.pointer, &cookie)
            replies[cookie] = reply
            arm()
        } catch {
            reply(.failure(error))
        }
    }

    /// - Parameter identifier: for `remove`.
    func add(_ rule: BusMatch, _ identifier: UInt64, _ receive: @escaping @Sendable (BusSignal) -> Void) {
        let match = Match(receive)
        let number = sd_bus_add_match_async(
            bus, &match.slot, rule.text, Self.onSignal, nil, Unmanaged.passUnretained(match).toOpaque())
        guard number >= 0 else { return end() }
        matches[identifier] = match
        arm()
    }

    func remove(_ identifier: UInt64) {
        matches[identifier] = nil
        arm()
    }

    private static let lost = BusError(.disconnected, "The connection to the message bus has ended.")

    private static let onReply: sd_bus_message_handler_t = { message, connection, _ in
        guard let message, let connection else { return 0 }
        Unmanaged<BusConnection>.fromOpaque(connection).takeUnretainedValue().receive(message)
        return 0
    }

    private static let onSignal: sd_bus_message_handler_t = { message, match, _ in
        guard let message, let match, let signal = BusSignal(message) else { return 0 }
        Unmanaged<Match>.fromOpaque(match).takeUnretainedValue().receive(signal)
        return 0
    }

    private func receive(_ message: OpaquePointer) {
        var cookie: UInt64 = 0
        guard sd_bus_message_get_reply_cookie(message, &cookie) >= 0,
            let reply = replies.removeValue(forKey: cookie)
        else { return }
        if let error = sd_bus_message_get_error(message) {
            let name = error.pointee.name.map { String(cString: $0) } ?? ""
            return reply(
                .failure(BusError(name: name, message: error.pointee.message.map { String(cString: $0) } ?? "")))
        }
        reply(
            Result { () throws(BusError) in
                BusReply(
                    values: try BusReader.values(of: message),
                    sender: sd_bus_message_get_sender(message).map { String(cString: $0) } ?? "")
            })
    }

    private func process() {
        guard !hasEnded else { return }
        while true {
            let number = sd_bus_process(bus, nil)
            if number < 0 { return end() }
            if number == 0 { break }
        }
        arm()
    }

    /// Watches for what sd-bus waits for. Reading is always watched.
    private func arm() {
        guard !hasEnded else { return }
        let events = sd_bus_get_events(bus)
        guard events >= 0 else { return end() }
        if events & POLLOUT != 0, writing == nil, let descriptor = Self.copy(sd_bus_get_fd(bus)) {
            let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler { [weak self] in
                self?.writing?.cancel()
                self?.writing = nil
                self?.process()
            }
            source.setCancelHandler { close(descriptor) }
            source.resume()
            writing = source
        }
        var until: UInt64 = 0
        timer?.cancel()
        timer = nil
        guard sd_bus_get_timeout(bus, &until) > 0, until != UInt64.max else { return }
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let elapsed = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1_000
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + .microseconds(Int(clamping: until > elapsed ? until - elapsed : 0)))
        source.setEventHandler { [weak self] in self?.process() }
        source.resume()
        timer = source
    }

    private func end() {
        guard !hasEnded else { return }
        hasEnded = true
        reading?.cancel()
        writing?.cancel()
        timer?.cancel()
        let unanswered = replies.values
        replies = [:]
        for reply in unanswered { reply(.failure(Self.lost)) }
        onEnd()
    }

    private static func copy(_ descriptor: Int32) -> Int32? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        return copy >= 0 ? copy : nil
    }
}

extension BusSignal {
    /// - Returns: `nil` if it cannot be read.
    init?(_ message: OpaquePointer) {
        func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
        guard let values = try? BusReader.values(of: message) else { return nil }
        self.init(
            sender: text(sd_bus_message_get_sender(message)), path: text(sd_bus_message_get_path(message)),
            interface: text(sd_bus_message_get_interface(message)), member: text(sd_bus_message_get_member(message)),
            values: values)
    }
}
