import CommandClient
import Foundation
import LinuxSystem
import SocketAPI
import Speech

/// The running dictations of the command line.
extension CommandContext {
    /// The newest first; none if there is no service.
    func dictations() async throws -> DictationsReply {
        do {
            return try await clientOfRunningService.dictations()
        } catch let error as ClientError where error.code == .notRunning {
            return DictationsReply(sessions: [])
        }
    }

    /// The newest that is not ending.
    func newestDictation() async throws -> DictationsReply.Session? {
        try await dictations().sessions.first { !$0.isEnding }
    }

    /// The newest; waits for one that is starting, which can take two minutes with a prompt.
    func begunDictation() async throws -> DictationsReply.Session? {
        for _ in 0..<(120 * 20) {
            // Read first: a dictation that was starting is in the list afterwards, unless it failed.
            let isBeginning = DictationLock.isHeld
            if let session = try await newestDictation() { return session }
            guard isBeginning else { return nil }
            try await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }

    /// - Parameter session: `nil`: the newest.
    /// - Throws: `CommandError` with `noDictation`.
    func controlDictation(_ control: SessionControl, session: String?) async throws {
        if let session { return try await clientOfRunningService.control(session, control) }
        let found = try await require(
            begunDictation(), .noDictation,
            "No dictation is running. To start one: voicegate dictate, or voicegate control begin")
        try await clientOfRunningService.control(found.session, control)
    }
}

/// A lock of the command that starts a dictation, until it listens. So a second command does not start a second dictation, and a
/// key that is released early finds the dictation to end.
final class DictationLock: Sendable {
    private let descriptor: OwnedDescriptor

    private static var path: String { ServicePaths().stateDirectory + "/dictation.lock" }

    /// - Returns: `nil` if another command has it.
    static func take() throws -> DictationLock? {
        try PrivateDirectory.make(ServicePaths().stateDirectory)
        let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw CommandError(.cannotStart, "\(path) cannot be opened: \(systemMessage()).") }
        let descriptor = OwnedDescriptor(owning: number)
        var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        guard fcntl(number, F_SETLK, &lock) == 0 else { return nil }
        return DictationLock(descriptor)
    }

    /// Whether a command has the lock; does not take it meanwhile.
    static var isHeld: Bool {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    private init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

    /// No effect if released already.
    func release() {
        var lock = flock(l_type: Int16(F_UNLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        _ = fcntl(descriptor.rawValue, F_SETLK, &lock)
    }
}
