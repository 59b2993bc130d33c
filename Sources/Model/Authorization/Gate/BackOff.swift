import Foundation

/// Keeps a client from wearing the person down: each prompt of it that brought no decision makes the next one wait longer.
///
/// The first two are immediate, so that somebody who was not there, or is asked for the second resource, notices nothing.
/// A decision, yes or no, wipes the slate. Nothing is ever allowed because of it.
struct PromptBackOff {
    struct Client: Hashable {
        let user: UInt32
        let client: ClientIdentifier
    }

    private struct Entry {
        var undecided = 0
        var last: Moment
    }

    /// Clients that are remembered; a hostile one can make executables, but each costs it a prompt.
    private static let most = 4096

    /// Seconds to wait after so many prompts without a decision; the last one stands for all beyond.
    let delays: [Int64]
    private var entries: [Client: Entry] = [:]

    init(delays: [Int64]) { self.delays = delays }

    /// - Returns: seconds until the client's next prompt may be shown; `nil` when it may be shown now.
    func wait(of client: Client, at moment: Moment) -> Int64? {
        guard let entry = entries[client], !delays.isEmpty else { return nil }
        let delay = delays[min(entry.undecided, delays.count - 1)] * 1000
        // A time that cannot be told is taken for none at all.
        let rest = delay - (moment.elapsed(since: entry.last) ?? 0)
        return rest > 0 ? (rest + 999) / 1000 : nil
    }

    /// A prompt of the client was shown and has ended.
    ///
    /// - Parameter answer: `nil`: the person did not answer, or the client left.
    mutating func ended(_ answer: Answer?, of client: Client, at moment: Moment) {
        guard answer == nil || answer == .later else {
            entries[client] = nil
            return
        }
        if entries[client] == nil, entries.count >= Self.most {
            // Whoever need not wait any more is forgotten first; the others go on waiting.
            let due = entries.keys.filter { wait(of: $0, at: moment) == nil }
            for key in due { entries[key] = nil }
            if entries.count >= Self.most { return }
        }
        entries[client, default: Entry(last: moment)].undecided += 1
        entries[client]?.last = moment
    }
}

/// Keeps a client that asks again and again from filling the log: the first refusal of a kind is recorded, further ones
/// are counted until the interval is over.
struct BlockedAccessThrottle {
    private struct Kind: Hashable {
        let key: DecisionKey
        let code: RefusalCode
    }

    private struct Entry {
        var recordedAt: Date
        var repeated = 0
    }

    private var entries: [Kind: Entry] = [:]

    /// - Returns: how many went unrecorded since the last record when this one is to be recorded, else `nil`.
    mutating func recordsRefusal(
        of key: DecisionKey, code: RefusalCode, at now: Date, interval: TimeInterval
    ) -> Int? {
        let kind = Kind(key: key, code: code)
        // A clock set back makes the age negative: record rather than be silent.
        if let entry = entries[kind], (0..<interval).contains(now.timeIntervalSince(entry.recordedAt)) {
            entries[kind]?.repeated += 1
            return nil
        }
        let repeated = entries[kind]?.repeated ?? 0
        // Clients are bounded by the executables of a machine, but a hostile one can make executables.
        if entries.count >= 4096 { entries.removeAll() }
        entries[kind] = Entry(recordedAt: now)
        return repeated
    }
}

extension Gate {
    /// Why the client's next prompt is not shown yet. What the gate itself asks at a quiet moment is bounded already.
    func refusalOfFlood(_ question: Question, _ resource: Resource, _ requester: Requester) -> AuthorizationError? {
        guard !question.waitsForQuietMoment,
            let seconds = backOff.wait(of: Self.client(of: requester), at: configuration.now())
        else { return nil }
        return AuthorizationError(.tooManyPrompts(seconds: seconds), resource, requester)
    }

    /// Keeps in mind what came of a prompt that was shown.
    func note(_ answer: Answer?, to prompt: Prompt) {
        guard !prompt.question.waitsForQuietMoment else { return }
        backOff.ended(
            answer.flatMap { prompt.answers.contains($0) ? $0 : nil }, of: Self.client(of: prompt.requester),
            at: configuration.now())
    }

    private static func client(of requester: Requester) -> PromptBackOff.Client {
        PromptBackOff.Client(user: requester.caller.user, client: requester.client.identifier)
    }
}
