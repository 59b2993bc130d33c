import Base
import Foundation

extension Gate {
    /// Everything that settings show about one key.
    ///
    /// - Parameter client: `nil`: without a manifest, or nothing of it is asked for.
    public func settled(_ key: DecisionKey, client: Client? = nil) -> SettledStanding {
        let moment = configuration.now()
        let kept = unexpired(key).map { decision in client.map(decision.permitting) ?? decision }
        let additions = kept?.terms.map { book.additions(to: $0, by: client, key.resource) } ?? []
        let restriction = book.policy.restriction(of: key, at: moment.date)
        let status: AuthorizationStatus =
            if restriction != nil || book.mutes.covering(key.user) != nil {
                .restricted
            } else if let kept, additions.isEmpty {
                kept.terms == nil ? .denied : .authorized
            } else {
                .notDetermined
            }
        return SettledStanding(
            key: key, status: status, decision: kept, additions: additions, restriction: restriction,
            isAllowedOnce: book.onceAnswers.contains(key), shownName: shownNotices.name(of: key),
            question: pending[key]?.prompt.question ?? kept.flatMap { waitingQuestion(about: $0, at: moment) },
            expiresAt: kept?.terms.flatMap { Self.date($0.usedAt, plus: configuration.expiry.unusedLimit) },
            reviewAt: kept?.terms.flatMap { terms in
                terms.scope == .always ? Self.date(terms.reviewedAt, plus: configuration.reviewInterval) : nil
            })
    }

    /// The decision in force, unless it is a grant that has expired.
    func unexpired(_ key: DecisionKey) -> Decision? {
        book.reasonOfExpiry(key, at: configuration.now()) == nil ? book[key] : nil
    }

    /// Keys with a decision of the user or a grant for one use, also with one that is being written.
    public func settledKeys(ofUser user: UInt32) -> Set<DecisionKey> {
        book.answeredKeys(ofUser: user).union(keysBeingRecorded { $0.user == user })
    }

    /// The same of all users of a client.
    public func settledKeys(of client: ClientIdentifier) -> Set<DecisionKey> {
        book.answeredKeys(of: client).union(keysBeingRecorded { $0.client == client })
    }

    private func keysBeingRecorded(where isMeant: (DecisionKey) -> Bool) -> [DecisionKey] {
        pending.filter { $0.value.isRecording && isMeant($0.key) }.map(\.key)
    }

    /// Whether the user has decided about the client, was asked about it, or ran it without a manifest since the start.
    public func knows(_ client: ClientIdentifier, ofUser user: UInt32) -> Bool {
        callersSeen.contains(client, ofUser: user)
            || Resource.allCases.contains { resource in
                let key = DecisionKey(user: user, client: client, resource: resource)
                return book.hasAnswer(for: key) || pending[key] != nil || shownNotices.includes(key)
            }
    }

    private static func date(_ moment: Moment, plus milliseconds: Int64) -> Date? {
        guard moment != .unknown else { return nil }
        return Date(timeIntervalSince1970: (Double(moment.wall) + Double(milliseconds)) / 1000)
    }
}
