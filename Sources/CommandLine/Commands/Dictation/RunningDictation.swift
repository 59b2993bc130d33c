import Foundation
import SocketAPI
import Speech
import VoiceGateClient

/// Finds the dictation that a person means, and steers it.
struct RunningDictation: Sendable {
    /// Seconds that one may take to begin, the time to answer a question among them.
    private static let mostWait = 120

    let client: VoiceGateClient

    /// The newest that was not told to end; `nil` where there is none, or no service.
    func newest() async throws -> DictationsReply.Session? {
        do {
            return try await client.dictations().sessions.first { !$0.isEnding }
        } catch let error as ClientError where error.code == .notRunning {
            return nil
        }
    }

    /// The same; waits for one that is being begun.
    func begun() async throws -> DictationsReply.Session? {
        for _ in 0..<(Self.mostWait * 20) {
            // Asked first: what was being begun then is in the list now, unless it failed.
            let isBeginning = DictationLock.isHeld
            if let session = try await newest() { return session }
            guard isBeginning else { return nil }
            try await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }

    /// - Parameter session: `nil`: the newest.
    /// - Throws: `CommandError` with `noDictation`.
    func control(_ control: SessionControl, session: String?) async throws {
        if let session { return try await client.control(session, control) }
        guard let found = try await begun() else {
            throw CommandError(
                .noDictation, .noInput, "No dictation runs. Begin one: voicegate dictate, or voicegate control begin")
        }
        try await client.control(found.session, control)
    }
}

/// Held by a command from when it was told to begin a dictation until that listens. So a second one does not begin
/// another, and a key that is let go early finds what it has to end.
final class DictationLock: Sendable {
    private let descriptor: CInt

    private static var path: String { ServicePaths().stateDirectory + "/dictation.lock" }

    /// - Returns: `nil` when another command holds it.
    static func take() throws -> DictationLock? {
        try PrivateDirectory.make(ServicePaths().stateDirectory)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw CommandError(
                .cannotStart, .unavailable, "\(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        guard fcntl(descriptor, F_SETLK, &lock) == 0 else {
            close(descriptor)
            return nil
        }
        return DictationLock(descriptor)
    }

    /// Whether a command holds it; does not take it for a moment, as trying would.
    static var isHeld: Bool {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Without effect when it was released already.
    func release() {
        var lock = flock(l_type: Int16(F_UNLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        _ = fcntl(descriptor, F_SETLK, &lock)
    }
}
