import Authorization
import Glibc
import Hummingbird
import SocketAPI
import Speech

/// How many connections, watched processes and sessions a service may have. Questions and monitors concern one user each, so
/// only the number for each user is bounded (`GateConfiguration.pendingPrompts`, `MonitorBook`).
package struct ServiceQuotas: Sendable {
    /// Connections to one socket. Each may stream for hours, so they are counted and not queued.
    let connections: Quota
    /// Those of all programs but the user's own command line, so that the user can still use that.
    let connectionsOfPrograms: Quota
    /// Further connections, for one short request each, by which a user can revoke.
    let reservedConnections: Int
    /// Processes without a connection that are watched until they end.
    package let watches: Quota
    /// As many as this machine's processors can recognise. Each takes about 100 MB.
    package let sessions: Quota

    /// - Parameters:
    ///   - servesOneUser: whether it serves the user that it runs as.
    ///   - descriptors: how many the service may have open.
    ///   - sessions: how many this machine's processors can recognise at a time.
    package init(servesOneUser: Bool, descriptors: Int? = nil, sessions: Int) {
        let descriptors = descriptors ?? Self.descriptors
        let watched = min(256, descriptors / 16)
        // A session takes pipes, a device and files; a watch two; a connection, to one of two sockets, up to four.
        let left = descriptors - 128 - 16 * sessions - 2 * watched
        // With the reserved ones, which are a 32nd.
        let total = max(16, min(512, left * 4 / 33))
        connections = Quota(
            total: total, ofProgram: total / 8, part: 2, keptForRoot: max(2, total / 32), servesOneUser: servesOneUser)
        connectionsOfPrograms = Quota(
            total: servesOneUser ? total * 3 / 8 : total * 3 / 4, ofProgram: total / 8, part: 3,
            servesOneUser: servesOneUser)
        reservedConnections = max(4, total / 32)
        watches = Quota(total: watched, ofProgram: 1, part: 3, servesOneUser: servesOneUser)
        self.sessions = Quota(
            total: sessions, ofProgram: max(1, servesOneUser ? sessions / 2 : sessions * 3 / 8),
            servesOneUser: servesOneUser)
    }

    /// What the service publishes.
    ///
    /// - Parameter bytesOfFile: of a sound file.
    package func limits(bytesOfFile: Int) -> ServiceLimits {
        ServiceLimits(
            connectionsOfProgram: connectionsOfPrograms.ofProgram, sessionsOfClient: sessions.ofProgram,
            sessions: sessions.total, monitorsOfClient: MonitorBook.mostOfClient, bytesOfBody: Request.longestJSON,
            bytesOfBodyWithWords: Request.longestWithWords, bytesOfWords: UserWords.longestText,
            bytesOfGrammar: RecognitionTask.longestGrammar, contextPhrases: UserWords.mostPhrases,
            charactersOfPhrase: UserWords.longestPhrase, alternatives: RecognitionConfiguration.mostAlternatives,
            bytesOfFile: bytesOfFile, recordsOfAnswer: Int(RecordSpan.longest),
            secondsOfPause: Int(ConnectionLimits.Timeouts().pause.nanoseconds / 1_000_000_000))
    }

    private static var descriptors: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int(clamping: min(limit.rlim_cur, 1 << 20))
    }
}
