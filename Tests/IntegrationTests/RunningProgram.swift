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
    private let input = Pipe()
    private let state = Mutex(State())

    init(_ arguments: [String], environment: [String: String]) throws {
        process.executableURL = URL(fileURLWithPath: arguments[0])
        process.arguments = Array(arguments.dropFirst())
        process.environment = environment
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        process.terminationHandler = { [weak self] in self?.ended($0.terminationStatus) }
        output.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            self?.received(data)
        }
        errors.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            self?.complained(data)
        }
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var processIdentifier: Int32 { process.processIdentifier }
    var lines: [String] { state.withLock { $0.lines } }
    var errorText: String { String(decoding: state.withLock { $0.errors }, as: UTF8.self) }

    func type(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }
    func closeInput() throws { try input.fileHandleForWriting.close() }
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
