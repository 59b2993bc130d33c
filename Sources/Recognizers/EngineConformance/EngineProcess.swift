import CLinux
import Foundation
import RecognizerProtocol
import Speech

/// An engine under test, started like the service does. Everything blocks, until a deadline.
final class EngineProcess {
    private let process: pid_t
    private let socket: Int32
    private let log: Int32
    private let ending: Int32
    private var decoder = WyomingDecoder()

    init(command: [String]) throws(EngineTrialError) {
        guard let program = command.first else { throw Self.cannotStart("the program's name is missing") }
        var sockets: [Int32] = [-1, -1]
        var logs: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &sockets) == 0, socketpair(AF_UNIX, type, 0, &logs) == 0 else {
            throw Self.cannotStart(String(cString: strerror(errno)))
        }
        var process: pid_t = 0
        let copies: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        let environment: [UnsafeMutablePointer<CChar>?] = [strdup("LANG=C.UTF-8"), nil]
        defer { for copy in copies + environment { free(copy) } }
        let error = vg_worker_spawn(program, copies, environment, sockets[1], logs[1], &process)
        close(sockets[1])
        close(logs[1])
        guard error == 0 else {
            close(sockets[0])
            close(logs[0])
            throw Self.cannotStart("\(program): \(String(cString: strerror(error)))")
        }
        self.process = process
        socket = sockets[0]
        log = logs[0]
        ending = vg_pidfd_open(process)
    }

    private static func cannotStart(_ reason: String) -> EngineTrialError {
        EngineTrialError(detail: "it cannot be started: \(reason)")
    }

    deinit {
        // Its group: also what it started.
        kill(-process, SIGKILL)
        waitpid(process, nil, 0)
        for descriptor in [socket, log, ending] where descriptor >= 0 { close(descriptor) }
    }

    func send(_ request: WorkerRequest, by deadline: ContinuousClock.Instant) throws(EngineTrialError) {
        guard let bytes = try? request.event.encoded() else {
            throw EngineTrialError(detail: "a request could not be written")
        }
        try send(bytes, by: deadline)
    }

    func send(_ bytes: [UInt8], by deadline: ContinuousClock.Instant) throws(EngineTrialError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            try wait(for: Int16(POLLOUT), on: socket, by: deadline, what: "read its input")
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            // It may have answered and closed its end: its answer is read next.
            if count < 0, errno == EPIPE || errno == ECONNRESET { return }
            if count > 0 { rest = rest.dropFirst(count) }
            drainLog()
        }
    }

    /// The next reply, or `nil` when the engine has closed its end.
    func reply(by deadline: ContinuousClock.Instant) throws(EngineTrialError) -> WorkerReply? {
        while true {
            do {
                if let event = try decoder.next() { return try WorkerReply(event) }
            } catch {
                throw EngineTrialError(detail: "\(error)")
            }
            try wait(for: Int16(POLLIN), on: socket, by: deadline, what: "answer")
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            if count == 0 || (count < 0 && errno == ECONNRESET) { return nil }
            if count > 0 { decoder.append(bytes[..<count]) }
            drainLog()
        }
    }

    /// Whether a reply can be read without waiting.
    var hasReply: Bool {
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) > 0
    }

    func closeSocket() { shutdown(socket, Int32(SHUT_RDWR)) }

    func waitForEnd(by deadline: ContinuousClock.Instant) throws(EngineTrialError) {
        try wait(for: Int16(POLLIN), on: ending, by: deadline, what: "end")
    }

    private func wait(
        for events: Int16, on descriptor: Int32, by deadline: ContinuousClock.Instant, what: String
    ) throws(EngineTrialError) {
        while true {
            let rest = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
            guard rest > 0 else { throw EngineTrialError(detail: "it did not \(what) in time") }
            // A full log must not block the engine.
            var descriptors = [
                pollfd(fd: descriptor, events: events, revents: 0), pollfd(fd: log, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&descriptors, isLogOpen ? 2 : 1, Int32(min(rest, 60_000)) + 1) > 0 else { continue }
            if descriptors[1].revents != 0 { drainLog() }
            if descriptors[0].revents != 0 { return }
        }
    }

    private var isLogOpen = true

    private func drainLog() {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while isLogOpen {
            let count = recv(log, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            if count == 0 { isLogOpen = false }
            guard count > 0 else { return }
        }
    }
}

/// A session with an engine, from `ready` to its last event; each reply is checked against the protocol.
final class EngineConversation {
    private let engine: EngineProcess
    private var conversation = Conversation()
    private(set) var events: [RecognitionEvent] = []
    private(set) var progress: [Double] = []
    private(set) var capabilities = EngineCapabilities()
    private var sent: Int64 = 0
    private let isFile: Bool
    private let deadline: ContinuousClock.Instant

    /// - Parameter limit: the time limit of the whole session.
    init(_ engine: EngineProcess, isFile: Bool = false, limit: Duration) {
        self.engine = engine
        self.isFile = isFile
        deadline = .now + limit
    }

    func awaitReady() throws(EngineTrialError) {
        guard let reply = try next() else { throw EngineTrialError(detail: "it ended before it was ready") }
        guard case .ready(let capabilities) = reply else {
            throw EngineTrialError(detail: "its first message is not ready")
        }
        self.capabilities = capabilities
    }

    func start(_ configuration: RecognitionConfiguration) throws(EngineTrialError) {
        try engine.send(.start(configuration), by: deadline)
    }

    /// Sends audio in pieces of these lengths, repeatedly.
    func hear(
        _ samples: [Int16], at position: Int64 = 0, pieces: [Int] = [1_600]
    ) throws(EngineTrialError) {
        var offset = 0
        var turn = 0
        while offset < samples.count {
            let end = min(offset + pieces[turn % pieces.count], samples.count)
            try engine.send(
                .audio(samples: Array(samples[offset..<end]), position: position + Int64(offset)), by: deadline)
            sent = position + Int64(end)
            offset = end
            turn += 1
            while engine.hasReply { guard try next() != nil else { return } }
        }
    }

    /// There is no audio until this position.
    func skip(to position: Int64) throws(EngineTrialError) {
        try engine.send(.audio(samples: [], position: position), by: deadline)
        sent = position
    }

    func hear(file bytes: [UInt8]) throws(EngineTrialError) {
        var offset = 0
        while offset < bytes.count {
            let end = min(offset + WorkerRequest.largestPiece, bytes.count)
            try engine.send(.file(Array(bytes[offset..<end])), by: deadline)
            offset = end
        }
    }

    /// Ends the audio, and reads to the last event: `finished`, or the error.
    func finish() throws(EngineTrialError) {
        try engine.send(.finish, by: deadline)
        while !isOver {
            guard try next() != nil else { throw EngineTrialError(detail: "it ended without a last event") }
        }
    }

    var finals: [Transcript] { events.compactMap { if case .final(let transcript) = $0 { transcript } else { nil } } }
    var text: String { finals.map(\.text).filter { !$0.isEmpty }.joined(separator: " ") }
    var duration: Double? { if case .finished(let duration)? = events.last { duration } else { nil } }
    var failure: RecognitionError? { if case .failed(let error)? = events.last { error } else { nil } }

    private var isOver: Bool { duration != nil || failure != nil }

    private func next() throws(EngineTrialError) -> WorkerReply? {
        guard let reply = try engine.reply(by: deadline) else { return nil }
        do {
            try conversation.check(reply, sent: isFile ? nil : Double(sent) / 16_000)
        } catch {
            throw EngineTrialError(detail: error.message)
        }
        switch reply {
        case .ready: break
        case .progress(let seconds): progress.append(seconds)
        case .recognized(let event): events.append(event)
        }
        return reply
    }
}
