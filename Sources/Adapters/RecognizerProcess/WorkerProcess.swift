import CLinux
import Foundation
import LinuxSystem
import RecognizerProtocol

/// A worker's process and its descriptors. Used on the pool's thread; nothing here blocks.
final class WorkerProcess {
    enum State {
        case loading(since: ContinuousClock.Instant)
        case warm(since: ContinuousClock.Instant)
        case serving(ServedSession)
        /// Only its exit is awaited.
        case ending
    }

    let identifier: Int
    let process: pid_t
    let socket: Int32
    let log: Int32
    /// A pidfd: readable when the process has exited.
    let ending: Int32
    /// Decoders of a worker for one sound file; 0: a worker for a live session.
    let fileDecoders: Int

    var state: State
    var decoder = WyomingDecoder()
    /// The worker's replies before a session took it.
    var greeted = Conversation()
    var logLines = LogLines()
    /// Calls that wait until the worker is less behind.
    var writers: [CheckedContinuation<Void, Never>] = []

    private var outgoing: [UInt8] = []
    private var sent = 0
    private var isReaped = false

    init(
        identifier: Int, command: [String], fileDecoders: Int = 0, givesWay: Bool = false,
        inspectsModel: Bool = false
    ) throws(SpawnError) {
        var options = inspectsModel ? ["--inspect"] : []
        if fileDecoders > 0 { options = ["--file-decoders", String(fileDecoders)] + (givesWay ? ["--give-way"] : []) }
        let program = try SpawnedProgram(command + options)
        let ending = vg_pidfd_open(program.process)
        guard ending >= 0 else {
            let error = SpawnError(errorNumber: errno)
            // Its end would not be noticed.
            kill(-program.process, SIGKILL)
            waitpid(program.process, nil, 0)
            for descriptor in [program.socket, program.log] { close(descriptor) }
            throw error
        }
        SocketPair.makeNonBlocking(program.socket)
        SocketPair.makeNonBlocking(program.log)
        self.identifier = identifier
        self.process = program.process
        self.socket = program.socket
        self.log = program.log
        self.ending = ending
        self.fileDecoders = fileDecoders
        self.state = .loading(since: .now)
    }

    deinit {
        if !isReaped {
            // The pool was released without a shutdown. After the signal the wait is short.
            terminate()
            waitpid(process, nil, 0)
        }
        for descriptor in [socket, log, ending] { close(descriptor) }
    }

    /// Bytes that the worker has not taken yet.
    var backlog: Int { outgoing.count - sent }

    /// The bytes that are available; `isOpen` is false if the worker closed its end.
    func read(_ descriptor: Int32) -> (bytes: [UInt8], isOpen: Bool) {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // Bounded, so that one worker cannot keep the thread from the others.
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

    /// Errors are not reported here: the end of the socket or of the process follows.
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

    /// Kills it and all of its group, which its children cannot leave. Harmless if it has exited: the identifier of the
    /// process and of the group stays reserved until the pool has waited for it.
    func terminate() {
        guard !isReaped else { return }
        kill(-process, SIGKILL)
        // An engine's supervisor leaves its group at its end.
        kill(process, SIGKILL)
    }

    /// Call it when `ending` is readable.
    ///
    /// - Returns: how it ended.
    func reap() -> String {
        // It may have been killed without its children.
        terminate()
        var status: Int32 = 0
        waitpid(process, &status, 0)
        isReaped = true
        let signal = status & 0x7F
        return signal == 0
            ? "with status \(status >> 8 & 0xFF)" : "by signal \(signal) (\(String(cString: strsignal(signal))))"
    }
}
