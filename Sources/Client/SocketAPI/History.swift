import Authorization
import Foundation
import Speech

/// A kept item in `GET /v1/history`.
public struct HistoryEntry: Sendable, Hashable, Codable {
    /// UUID.
    public var item: String
    /// UUID of its session; the records have it too.
    public var session: String
    public var client: String
    /// The client's name; its identifier if it no longer has a manifest.
    public var name: String
    public var kind: DataKind
    /// When it was complete.
    public var date: Date
    /// When it is erased; `nil`: when the permission is withdrawn.
    public var until: Date?
    /// Of the data itself.
    public var bytes: Int64
    /// Of a transcript, if texts were requested.
    public var text: String?
    /// Why it cannot be read.
    public var problem: String?

    public init(
        item: String, session: String, client: String, name: String, kind: DataKind, date: Date, until: Date?,
        bytes: Int64, text: String? = nil, problem: String? = nil
    ) {
        self.item = item
        self.session = session
        self.client = client
        self.name = name
        self.kind = kind
        self.date = date
        self.until = until
        self.bytes = bytes
        self.text = text
        self.problem = problem
    }
}

/// `GET /v1/dictation`: the caller's running dictations, newest first.
public struct DictationsReply: Sendable, Hashable, Codable {
    public struct Session: Sendable, Hashable, Codable {
        public var session: String
        public var client: String
        public var device: String
        public var startedAt: Date
        /// Why it does not listen now; empty if it listens.
        public var paused: [PauseReason]
        /// It is ending: the device is closed or about to be, and its last words are being decoded.
        public var isEnding: Bool

        public init(
            session: String, client: String, device: String, startedAt: Date, paused: [PauseReason] = [],
            isEnding: Bool = false
        ) {
            self.session = session
            self.client = client
            self.device = device
            self.startedAt = startedAt
            self.paused = paused
            self.isEnding = isEnding
        }
    }

    public var sessions: [Session]

    public init(sessions: [Session]) { self.sessions = sessions }
}

/// A line of a kept transcript.
public struct KeptUtterance: Sendable, Hashable, Codable {
    public var text: String
    /// Seconds since the session's first frame.
    public var start: Double
    /// Seconds since the session's first frame.
    public var end: Double

    public init(text: String, start: Double, end: Double) {
        self.text = text
        self.start = start
        self.end = end
    }
}

/// `GET /v1/history/keeping`: what each client declares that VoiceGate keeps, and what of it the user agreed to.
public struct KeepingReply: Sendable, Hashable, Codable {
    public struct Client: Sendable, Hashable, Codable {
        public var client: String
        public var name: String
        /// By kind, as its manifest declares now.
        public var declared: [String: KeepingTime]
        /// By kind, what is kept under the present grant.
        public var agreed: [String: KeepingTime]

        public init(client: String, name: String, declared: [String: KeepingTime], agreed: [String: KeepingTime]) {
            self.client = client
            self.name = name
            self.declared = declared
            self.agreed = agreed
        }
    }

    public var clients: [Client]

    public init(clients: [Client]) { self.clients = clients }
}

/// How many items were erased.
public struct ErasureReply: Sendable, Hashable, Codable {
    /// The number of items.
    public var erased: Int

    public init(erased: Int) { self.erased = erased }
}
