import CLinux
import Foundation
import Glibc
import Synchronization
import TestSupport

/// A real process of a test, with its output line by line. Ended when its owner lets it go.
public final class RunningProgram: Sendable {
    public struct Ended: Error, CustomStringConvertible {
        public let output: [String]
        public let errors: String
        public var description: String { "the program ended; output: \(output), errors: \(errors)" }
    }

    private struct State {
        var lines: [String] = []
        var partial = Data()
        var errors = Data()
        var openPipes = 2
        var status: Int32?
        /// Counts what happened, so that a waiter knows whether it looked too early.
        var version = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    public let processIdentifier: Int32
    private let input: FileHandle
    /// What makes it a foreground job, unless it is a daemon; its standard descriptors are pipes all the same.
    private let terminal: PseudoTerminal?
    private let state = Mutex(State())

    /// By posix_spawn and not by Foundation's `Process`, whose pipes leak into programs that other tests start at the
    /// same moment, and then never end.
    ///
    /// - Parameter isForeground: whether it leads its own session with a terminal, and is that one's foreground job.
    ///   Else it has no terminal at all.
    public init(_ arguments: [String], environment: [String: String], isForeground: Bool = true) throws {
        terminal = isForeground ? try PseudoTerminal() : nil
        let (standardInput, input) = try Self.pipe()
        let (output, standardOutput) = try Self.pipe()
        let (errors, standardError) = try Self.pipe()
        self.input = input
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, handle) in [standardInput, standardOutput, standardError].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, Int32(number))
        }
        // The first terminal that a session's leader opens becomes the controlling one (tty_ioctl(4)).
        if let terminal {
            posix_spawn_file_actions_addopen(&actions, 9, terminal.path, O_RDWR, 0)
            posix_spawn_file_actions_addclose(&actions, 9)
        }
        // Foundation's `Process` leaves sockets open in this one, which a program without a network must not have.
        vg_spawn_close_from(&actions, 3)
        // The checkout may be in a folder that the program's user may not enter.
        vg_spawn_change_directory(&actions, "/")
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // POSIX_SPAWN_SETSID (spawn.h), which Swift does not import: it is for _GNU_SOURCE only.
        posix_spawnattr_setflags(&attributes, Int16(0x80 | POSIX_SPAWN_SETSIGMASK))
        // The threads of Swift's pool block signals, and a program would inherit that: Ctrl-Z would do nothing.
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var identifier: pid_t = 0
        let failure = posix_spawn(&identifier, arguments[0], &actions, &attributes, &words, &variables)
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
        processIdentifier = identifier
        for handle in [standardInput, standardOutput, standardError] { try handle.close() }
        read(output) { $0.received($1) }
        read(errors) { $0.complained($1) }
        Thread.detachNewThread { [weak self, process = identifier] in
            var status: Int32 = 0
            waitpid(process, &status, 0)
            let signal = status & 0x7F
            self?.ended(signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
        }
    }

    deinit { if state.withLock({ $0.status }) == nil { kill(processIdentifier, SIGKILL) } }

    private static func pipe() throws -> (reading: FileHandle, writing: FileHandle) {
        var ends: [Int32] = [-1, -1]
        guard vg_pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        return (
            FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
            FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        )
    }

    /// Hands on what comes, on its own thread; empty at the end.
    private func read(_ handle: FileHandle, _ take: @escaping @Sendable (RunningProgram, Data) -> Void) {
        let descriptor = handle.fileDescriptor
        Thread.detachNewThread { [weak self] in
            withExtendedLifetime(handle) {
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while true {
                    let count = Glibc.read(descriptor, &buffer, buffer.count)
                    guard let self else { return }
                    take(self, Data(buffer.prefix(max(0, count))))
                    if count <= 0 { return }
                }
            }
        }
    }

    public var lines: [String] { state.withLock { $0.lines } }
    public var errorText: String { String(decoding: state.withLock { $0.errors }, as: UTF8.self) }

    public func type(_ text: String) throws { try input.write(contentsOf: Data(text.utf8)) }
    public func closeInput() throws { try input.close() }
    public func signal(_ number: Int32) { kill(processIdentifier, number) }

    /// Waits for a line of the output that the condition names, from the beginning on.
    @discardableResult
    public func line(where condition: @Sendable (String) -> Bool) async throws -> String {
        try await look { state in state.lines.first(where: condition) }
    }

    /// Waits until this many lines are as they should be.
    public func lines(_ count: Int, where condition: @Sendable (String) -> Bool) async throws {
        try await look { state in state.lines.count(where: condition) >= count ? () : nil }
    }

    /// Waits until the output and the error output, whole lines or not, contain the text this many times.
    public func shows(_ text: String, times: Int = 1) async throws {
        try await look { state in Self.count(of: text, in: state) >= times ? () : nil }
    }

    /// How many times the text was shown so far.
    public func count(of text: String) -> Int { state.withLock { Self.count(of: text, in: $0) } }

    private static func count(of text: String, in state: State) -> Int {
        let parts = state.lines + [state.partial, state.errors].map { String(decoding: $0, as: UTF8.self) }
        return parts.reduce(0) { $0 + $1.ranges(of: text).count }
    }

    /// Waits for the end of the process and of its output.
    @discardableResult
    public func end() async -> Int32 {
        let status = try? await look { state in state.openPipes == 0 ? state.status : nil }
        return status ?? -1
    }

    private func look<Found: Sendable>(_ find: @Sendable (State) -> Found?) async throws -> Found {
        while true {
            let (found, isOver, version) = state.withLock { state in
                (find(state), state.openPipes == 0 && state.status != nil, state.version)
            }
            if let found { return found }
            if isOver { throw Ended(output: lines, errors: errorText) }
            // A suite's time limit cancels the test; waiting must then stop.
            try Task.checkCancellation()
            await change(since: version)
        }
    }

    /// Waits for anything to happen after the given version.
    private func change(since version: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isPast = state.withLock { state in
                    if state.version != version || Task.isCancelled { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isPast { continuation.resume() }
            }
        } onCancel: {
            update { _ in }
        }
    }

    private func update(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            state.version += 1
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private func received(_ data: Data) {
        update { state in
            if data.isEmpty {
                state.openPipes -= 1
                if !state.partial.isEmpty { state.lines.append(String(decoding: state.partial, as: UTF8.self)) }
                state.partial = Data()
                return
            }
            state.partial.append(data)
            while let end = state.partial.firstIndex(of: UInt8(ascii: "\n")) {
                state.lines.append(String(decoding: state.partial[state.partial.startIndex..<end], as: UTF8.self))
                state.partial = Data(state.partial[state.partial.index(after: end)...])
            }
        }
    }

    private func complained(_ data: Data) {
        update { state in
            if data.isEmpty { state.openPipes -= 1 } else { state.errors.append(data) }
        }
    }

    private func ended(_ status: Int32) { update { $0.status = status } }
}
