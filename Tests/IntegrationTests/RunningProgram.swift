import CLinux
import Foundation
import Synchronization

/// A real process of a test, with its output line by line. Ended when its owner lets it go.
final class RunningProgram: Sendable {
    struct Ended: Error, CustomStringConvertible {
        let output: [String]
        let errors: String
        var description: String { "the program ended; output: \(output), errors: \(errors)" }
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

    /// Used from one test at a time; Foundation's class is not marked, and only its locked calls are used here.
    nonisolated(unsafe) private let process = Process()
    private let input: FileHandle
    private let state = Mutex(State())

    init(_ arguments: [String], environment: [String: String]) throws {
        // Not to outlive the test: a crash of the tests would otherwise leave services behind.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        process.arguments = ["--pdeathsig", "KILL"] + arguments
        process.environment = environment
        let (standardInput, input) = try Self.pipe()
        let (output, standardOutput) = try Self.pipe()
        let (errors, standardError) = try Self.pipe()
        self.input = input
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        process.standardError = standardError
        process.terminationHandler = { [weak self] in self?.ended($0.terminationStatus) }
        output.readabilityHandler = { [weak self] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            self?.received(data)
        }
        errors.readabilityHandler = { [weak self] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            self?.complained(data)
        }
        try process.run()
        for handle in [standardInput, standardOutput, standardError] { try handle.close() }
    }

    /// Closed on exec from the first moment: Foundation's own pipes leak into programs that other tests start meanwhile,
    /// and then never end.
    private static func pipe() throws -> (reading: FileHandle, writing: FileHandle) {
        var ends: [Int32] = [-1, -1]
        guard vg_pipe(&ends) == 0 else { throw CocoaError(.fileReadUnknown) }
        return (
            FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
            FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        )
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var processIdentifier: Int32 { process.processIdentifier }
    var lines: [String] { state.withLock { $0.lines } }
    var errorText: String { String(decoding: state.withLock { $0.errors }, as: UTF8.self) }

    func type(_ text: String) throws { try input.write(contentsOf: Data(text.utf8)) }
    func closeInput() throws { try input.close() }
    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for a line of the output that the condition names, from the beginning on.
    @discardableResult
    func line(where condition: @Sendable (String) -> Bool) async throws -> String {
        try await look { state in state.lines.first(where: condition) }
    }

    /// Waits until the output or the error output, whole lines or not, contains the text.
    func shows(_ text: String) async throws {
        try await look { state in
            let isShown =
                state.lines.contains { $0.contains(text) }
                || String(decoding: state.partial, as: UTF8.self).contains(text)
                || String(decoding: state.errors, as: UTF8.self).contains(text)
            return isShown ? () : nil
        }
    }

    /// Waits for the end of the process and of its output.
    @discardableResult
    func end() async -> Int32 {
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
            await change(since: version)
        }
    }

    /// Waits for anything to happen after the given version.
    private func change(since version: Int) async {
        await withCheckedContinuation { continuation in
            let isPast = state.withLock { state in
                if state.version != version { return true }
                state.waiters.append(continuation)
                return false
            }
            if isPast { continuation.resume() }
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
