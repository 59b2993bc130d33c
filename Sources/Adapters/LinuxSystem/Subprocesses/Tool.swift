import Base
import CLinux
import Dispatch
import Foundation
import Glibc
import Synchronization

/// A program of the system that is run with arguments until it ends, without a shell, with the three standard descriptors only
/// and with default signal handling.
public struct Tool: Sendable {
    private enum State {
        case running(pid_t)
        case over
        case cancelledEarly
        case notStarted
    }

    public let path: String
    private let environment: [String: String]
    private let ending: Int32

    /// - Parameters:
    ///   - path: absolute.
    ///   - ending: the signal that is sent when the task is cancelled.
    public init(
        path: String, environment: [String: String] = ProcessInfo.processInfo.environment, ending: Int32 = SIGTERM
    ) {
        self.path = path
        self.environment = environment
        self.ending = ending
    }

    /// Waits for the tool's end, also after the task is cancelled, which signals the tool.
    public func run(_ arguments: [String], _ call: ToolCall = ToolCall()) async throws -> ToolRun {
        let state = Mutex(State.notStarted)
        return try await withTaskCancellationHandler {
            try await Self.onThread { try runBlocking(arguments, call, state) }
        } onCancel: {
            state.withLock { state in
                switch state {
                // The tool was not waited for yet, so the identifier is still its own.
                case .running(let process): kill(process, ending)
                case .notStarted: state = .cancelledEarly
                case .over, .cancelledEarly: break
                }
            }
        }
    }

    /// A tool can run for minutes, so it has its own thread.
    private static func onThread(_ work: @escaping @Sendable () throws -> ToolRun) async throws -> ToolRun {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                // A tool that does not read its input must not end this program.
                var brokenPipe = sigset_t()
                sigemptyset(&brokenPipe)
                sigaddset(&brokenPipe, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &brokenPipe, nil)
                continuation.resume(with: Result { try work() })
            }
        }
    }

    private func runBlocking(
        _ arguments: [String], _ call: ToolCall, _ state: borrowing Mutex<State>
    ) throws -> ToolRun {
        var theirs: [Int32] = [-1, -1, -1]
        var ours: [Int32] = [-1, -1, -1]
        let streams: [ToolCall.Stream] = [call.input.isEmpty ? .discarded : .kept, call.output, call.complaints]
        for number in 0..<3 where streams[number] == .kept {
            var ends: [Int32] = [-1, -1]
            guard vg_pipe(&ends) == 0 else {
                let failure = failure(errno)
                for descriptor in theirs + ours where descriptor >= 0 { close(descriptor) }
                throw failure
            }
            (theirs[number], ours[number]) = number == 0 ? (ends[0], ends[1]) : (ends[1], ends[0])
        }
        var pipes = ToolPipes(input: ours[0], bytes: call.input, output: ours[1], complaints: ours[2])
        defer { pipes.close() }
        let process: pid_t
        do {
            defer { for descriptor in theirs where descriptor >= 0 { close(descriptor) } }
            process = try state.withLock { state in
                if case .cancelledEarly = state { throw CancellationError() }
                let process = try spawn(arguments, streams, theirs)
                state = .running(process)
                return process
            }
        }
        // The tool was not waited for yet, so the identifier is still its own.
        let handle = vg_pidfd_open(process)
        defer { if handle >= 0 { close(handle) } }
        let hasEnded = handle >= 0 && pipes.serve(process: handle, until: call.limit.map { .now + $0 })
        // The whole group: a child may have used up the time.
        if !hasEnded { kill(-process, SIGKILL) }
        // In two steps: the identifier is released under the lock, when it can no longer be signalled.
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        var status: Int32 = 0
        state.withLock { state in
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            state = .over
        }
        let signal = status & 0x7F
        return ToolRun(
            status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal, output: pipes.text, complaint: pipes.complaint,
            isOverdue: !hasEnded, isCut: pipes.isCut)
    }

    /// - Parameters:
    ///   - streams: standard input, output and error.
    ///   - pipes: the tool's ends of pipes for those that are kept.
    private func spawn(_ arguments: [String], _ streams: [ToolCall.Stream], _ pipes: [Int32]) throws -> pid_t {
        let descriptors = zip(Int32(0)..., streams).map { number, stream -> Int32? in
            switch stream {
            case .kept: pipes[Int(number)]
            case .discarded: nil
            case .inherited: number
            }
        }
        do throws(SpawnError) {
            // A separate group, so that Ctrl-C at a terminal does not end the tool during a prompt.
            return try ProgramStart(
                [path] + arguments, environment: environment, descriptors: descriptors, group: .own
            ).start()
        } catch {
            throw failure(error.errorNumber)
        }
    }

    private func failure(_ number: Int32) -> ToolError {
        ToolError(
            code: number == ENOENT ? .missing : .failed,
            message: "\(path) cannot be started: \(String(cString: strerror(number))).")
    }
}

/// A tool's input, and what happens to its output.
public struct ToolCall: Sendable, Hashable {
    public enum Stream: Sendable, Hashable {
        /// Read up to a limit.
        case kept
        case discarded
        /// This program's own stream.
        case inherited
    }

    /// The standard input.
    public var input: [UInt8]
    public var output: Stream
    /// The standard error. Read only until the tool ends: a remaining child may keep it open.
    public var complaints: Stream
    /// After this time the tool and its children are killed; `nil`: no limit.
    public var limit: Duration?

    public init(
        input: [UInt8] = [], output: Stream = .kept, complaints: Stream = .discarded, limit: Duration? = nil
    ) {
        self.input = input
        self.output = output
        self.complaints = complaints
        self.limit = limit
    }
}

/// The result of a tool.
public struct ToolRun: Sendable, Hashable {
    /// The exit status; 128 and the signal's number when a signal ended it.
    public let status: Int32
    /// The standard output, if it was kept.
    public let output: String
    /// The beginning of the standard error, if it was kept.
    public internal(set) var complaint = ""
    /// The tool exceeded its time limit and was killed.
    public internal(set) var isOverdue = false
    /// The output was longer than the limit.
    public internal(set) var isCut = false
}

/// Why a tool could not be run.
public typealias ToolError = CodedError<ToolErrorCode>

public enum ToolErrorCode: String, Sendable, Hashable, CaseIterable {
    /// No such program.
    case missing
    /// The system cannot start it.
    case failed
}
