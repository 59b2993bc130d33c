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
