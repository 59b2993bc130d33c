import CLinux
import Foundation
import RecognizerProtocol

/// A worker's process and the descriptors to it. Lives on the pool's thread; nothing here blocks.
final class WorkerProcess {
    let identifier: Int
    let process: pid_t
    let socket: Int32
    let log: Int32
    /// Readable when the process has ended.
    let ending: Int32
    /// Decoders of a worker for one sound file; 0 for a worker that is kept for sessions.
    let fileDecoders: Int

    var state: State
    var decoder = WyomingDecoder()
    /// What the worker has told before a session took it.
    var greeted = Conversation()
    var logLines = LogLines()
    /// Those who wait until the worker has taken more.
    var writers: [CheckedContinuation<Void, Never>] = []

    private var outgoing: [UInt8] = []
    private var sent = 0
    private var isReaped = false

    /// Starts the program.
    ///
    /// - Throws: the error number of what could not be done.
    init(
        identifier: Int, command: [String], fileDecoders: Int = 0, givesWay: Bool = false,
        inspectsModel: Bool = false
    ) throws(SpawnError) {
        guard let (socket, workerSocket) = SocketPair.make() else { throw SpawnError(errorNumber: errno) }
        guard let (log, workerLog) = SocketPair.make() else {
            let number = errno
            for descriptor in [socket, workerSocket] { close(descriptor) }
            throw SpawnError(errorNumber: number)
        }
        defer { for descriptor in [workerSocket, workerLog] { close(descriptor) } }
        var process: pid_t = 0
        var crew = inspectsModel ? ["--inspect"] : []
        if fileDecoders > 0 { crew = ["--file-decoders", String(fileDecoders)] + (givesWay ? ["--give-way"] : []) }
        var result = Self.withCStrings(command + crew) { arguments in
            Self.withCStrings(Self.environment) { environment in
                vg_worker_spawn(command[0], arguments, environment, workerSocket, workerLog, &process)
            }
        }
        var ending: Int32 = -1
        if result == 0 {
            ending = vg_worker_pidfd(process)
            if ending < 0 {
                result = errno
                // Nobody would notice its end.
                kill(process, SIGKILL)
                waitpid(process, nil, 0)
            }
        }
        guard result == 0 else {
            for descriptor in [socket, log] { close(descriptor) }
            throw SpawnError(errorNumber: result)
        }
        SocketPair.makeNonBlocking(socket)
        SocketPair.makeNonBlocking(log)
        self.identifier = identifier
        self.process = process
        self.socket = socket
        self.log = log
        self.ending = ending
        self.fileDecoders = fileDecoders
        self.state = .loading(since: .now)
    }

    deinit {
        if !isReaped {
            // The pool went away without a shutdown. After the signal the wait is short.
            terminate()
            waitpid(process, nil, 0)
        }
        for descriptor in [socket, log, ending] { close(descriptor) }
    }

    /// Bytes that the worker has not taken yet.
    var backlog: Int { outgoing.count - sent }

    /// What there is to read; `isOpen` is false when the worker closed its end.
    func read(_ descriptor: Int32) -> (bytes: [UInt8], isOpen: Bool) {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // So much at once that one worker cannot keep the thread from the others.
        while result.count < 4 * buffer.count {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                result.append(contentsOf: buffer[..<count])
            } else if count == 0 {
                return (result, false)
            } else if errno != EINTR {
                return (result, errno == EAGAIN)
            }
        }
        return (result, true)
    }

    func write(_ bytes: [UInt8]) {
        outgoing.append(contentsOf: bytes)
        flush()
    }

    /// Errors are not told here: the end of the socket or of the process follows.
    func flush() {
        while sent < outgoing.count {
            let count = outgoing[sent...].withUnsafeBytes {
                send(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            sent += count
        }
        if sent == outgoing.count || sent > 1 << 20 {
            outgoing.removeFirst(sent)
            sent = 0
        }
    }

    /// Ends it at once. Harmless when it has ended: the number is ours until the pool has waited for it.
    func terminate() {
        if !isReaped { kill(process, SIGKILL) }
    }

    /// To be called when `ending` is readable.
    func reap() -> WorkerExit {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        isReaped = true
        return WorkerExit(status: status)
    }

    /// What the worker gets of our environment: where its libraries are. A backtrace would take seconds and could show
    /// what was said.
    static var environment: [String] {
        let libraries = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        return ["LANG=C.UTF-8", "SWIFT_BACKTRACE=enable=no"] + (libraries.map { ["LD_LIBRARY_PATH=" + $0] } ?? [])
    }

    /// The C array and its strings live as long as the body.
    static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}

extension WorkerProcess {
    enum State {
        case loading(since: ContinuousClock.Instant)
        case warm(since: ContinuousClock.Instant)
        case serving(ServedSession)
        /// Its work is over or it was told to end; only its exit is waited for.
        case ending
    }
}

/// How a worker ended, from `waitpid`'s status.
struct WorkerExit: CustomStringConvertible {
    let status: Int32

    /// The signal that ended it, or `nil`.
    var signal: Int32? { status & 0x7F == 0 ? nil : status & 0x7F }

    var description: String {
        if let signal {
            "by signal \(signal) (\(String(cString: strsignal(signal))))"
        } else {
            "with status \(status >> 8 & 0xFF)"
        }
    }
}

/// A worker could not be started.
struct SpawnError: Error, CustomStringConvertible {
    let errorNumber: Int32

    var description: String { String(cString: strerror(errorNumber)) }
}

/// Cuts a worker's standard error into lines. Bounded: a worker that only shouts costs neither memory nor disk.
struct LogLines {
    private static let longestLine = 2_000
    private static let mostLines = 200

    private var partial: [UInt8] = []
    private var count = 0
    /// The last line that told of an error.
    private(set) var lastError: String?

    /// - Returns: whole lines, with whether they tell of an error.
    mutating func take(_ bytes: [UInt8]) -> [(isError: Bool, text: String)] {
        var lines: [(isError: Bool, text: String)] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                if partial.count < Self.longestLine { partial.append(byte) }
                continue
            }
            if let line = finish() { lines.append(line) }
        }
        return lines
    }

    private mutating func finish() -> (isError: Bool, text: String)? {
        let line = String(decoding: partial, as: UTF8.self)
        partial = []
        guard count < Self.mostLines, !line.isEmpty else { return nil }
        count += 1
        let isError = line.hasPrefix("error ")
        let text = String(line.dropFirst(isError ? 6 : line.hasPrefix("warning ") ? 8 : 0))
        if isError { lastError = text }
        return (isError, text)
    }
}
