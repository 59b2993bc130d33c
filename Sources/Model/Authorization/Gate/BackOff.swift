import Base
import Foundation

/// Delays a client's prompts: each prompt without a decision makes the next one wait longer; a decision resets that.
///
/// All programs of a user that have no manifest count as one client: another copy, other bytes or another session would
/// otherwise be a new client each time. For them a denial counts, too, and only a grant resets the delay.
struct PromptBackOff {
    struct Client: Hashable {
        let user: UInt32
        /// `nil`: all programs without a manifest.
        let client: ClientIdentifier?
    }

    private struct Entry {
        var undecided = 0
        var last: Moment
    }

    /// Bounds the memory.
    private static let most = 4096

    let delays: [Int64]
    private var entries: [Client: Entry] = [:]

    init(delays: [Int64]) { self.delays = delays }

    /// - Parameter waiting: prompts of the client that are shown or wait, which count as those without a decision.
    /// - Returns: seconds until the client's next prompt may be shown; `nil` if it may be shown now.
    func wait(of client: Client, waiting: Int = 0, at moment: Moment) -> Int64? {
        let entry = entries[client]
        guard entry != nil || waiting > 0, !delays.isEmpty else { return nil }
        let delay = delays[min((entry?.undecided ?? 0) + waiting, delays.count - 1)] * 1000
        // An unknown time counts as none.
        let rest = delay - (entry.flatMap { moment.elapsed(since: $0.last) } ?? 0)
        return rest > 0 ? (rest + 999) / 1000 : nil
    }

    /// A prompt of the client was shown and has ended.
    ///
    /// - Parameter answer: `nil` if the person did not answer or the client left.
    mutating func ended(_ answer: Answer?, of client: Client, at moment: Moment) {
        guard answer == nil || answer == .later || client.client == nil && answer == .deny else {
            entries[client] = nil
            return
        }
        if entries[client] == nil, entries.count >= Self.most {
            // Clients that no longer have to wait are removed first.
            let due = entries.keys.filter { wait(of: $0, at: moment) == nil }
            for key in due { entries[key] = nil }
            if entries.count >= Self.most { return }
        }
        entries[client, default: Entry(last: moment)].undecided += 1
        entries[client]?.last = moment
    }
}

/// A refusal whose repetition within the interval is not recorded again.
struct BlockedAccess: Hashable {
    let key: DecisionKey
    let code: RefusalCode
}

/// Programs without a manifest that were refused since the start, the latest ones of each user. A decision about them is about
/// something that exists.
struct CallersSeen {
    private static let mostOfUser = 64

    /// Oldest first.
    private var clients: [UInt32: [ClientIdentifier]] = [:]

    func contains(_ client: ClientIdentifier, ofUser user: UInt32) -> Bool { clients[user]?.contains(client) == true }

    mutating func note(_ requester: Requester) {
        let (user, client) = (requester.caller.user, requester.client.identifier)
        guard client.isUnregistered, clients[user]?.last != client else { return }
        clients[user, default: []].removeAll { $0 == client }
        clients[user]?.append(client)
        if let count = clients[user]?.count, count > Self.mostOfUser { clients[user]?.removeFirst() }
    }
}

extension Gate {
    /// Why the client's next prompt is not shown yet.
    func refusalOfFlood(_ resource: Resource, _ requester: Requester) -> AuthorizationError? {
        let client = Self.client(of: requester)
        let waiting = client.client == nil ? pending.values.count { Self.client(of: $0.prompt.requester) == client } : 0
        guard let seconds = backOff.wait(of: client, waiting: waiting, at: configuration.now()) else { return nil }
        return AuthorizationError(.tooManyPrompts(seconds: seconds), resource, requester)
    }

    func note(_ answer: Answer?, to prompt: Prompt) {
        backOff.ended(
            answer.flatMap { prompt.answers.contains($0) ? $0 : nil }, of: Self.client(of: prompt.requester),
            at: configuration.now())
    }

    private static func client(of requester: Requester) -> PromptBackOff.Client {
        PromptBackOff.Client(
            user: requester.caller.user, client: requester.isOnceAtMost ? nil : requester.client.identifier)
    }
}
