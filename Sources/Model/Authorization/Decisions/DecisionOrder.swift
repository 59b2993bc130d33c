import Base

/// The changes of one decision in the ledger's order, from the last durable one on.
struct DecisionOrder: Sendable {
    private struct Change: Sendable {
        /// `nil`: removes it.
        var decision: Decision?
        /// `nil` if the write failed.
        var ticket: Ticket?
        let isAmendment: Bool
    }

    private(set) var durable: Decision?
    private var later: [Change] = []
    /// When a session last used the grant; recorded at most once a day.
    var lastUse: Moment?

    init(durable: Decision? = nil) { self.durable = durable }

    /// What the durable decision and all later changes permit.
    var inForce: Decision? {
        var decision = durable
        for change in later where !change.isAmendment { decision = decision.limited(by: change.decision) }
        if let lastUse { decision?.terms?.usedAt = lastUse }
        return decision
    }

    /// The first change whose write has no outcome yet.
    var writing: Ticket? { later.lazy.compactMap(\.ticket).first { $0.outcome == nil } }

    var hasDecision: Bool { durable != nil || later.contains { $0.decision != nil || $0.ticket == nil } }

    var isDurable: Bool { later.allSatisfy(\.isAmendment) }

    /// The last change removes it, and has no outcome yet.
    var isBeingRemoved: Bool {
        guard let last = later.last, last.decision == nil, let ticket = last.ticket else { return false }
        return ticket.outcome == nil
    }

    mutating func submitted(_ decision: Decision?, _ ticket: Ticket, isAmendment: Bool = false) {
        later.append(Change(decision: decision, ticket: ticket, isAmendment: isAmendment))
    }

    /// Puts the grant out of force. It stays stored until a change of it is durable.
    mutating func drop() { later.append(Change(decision: nil, ticket: nil, isAmendment: false)) }

    /// - Returns: whether a grant became durable.
    mutating func settle() -> Bool {
        var isGranted = false
        while let place = later.firstIndex(where: { $0.ticket?.outcome != nil }),
            let outcome = later[place].ticket?.outcome
        {
            switch outcome {
            case .success(let record):
                var decision = later[place].decision
                if decision?.record == nil { decision?.record = record }
                durable = decision
                guard !later[place].isAmendment else {
                    later.remove(at: place)
                    continue
                }
                later.removeFirst(place + 1)
                lastUse = nil
                isGranted = durable?.verdict == .authorized
            case .failure:
                let failed = later.remove(at: place)
                guard !failed.isAmendment else { continue }
                // Failed changes in a row limit as one, so that they do not add up.
                if place > 0, later[place - 1].ticket == nil {
                    later[place - 1].decision = later[place - 1].decision.limited(by: failed.decision)
                } else {
                    later.insert(Change(decision: failed.decision, ticket: nil, isAmendment: false), at: place)
                }
            }
        }
        return isGranted
    }
}

extension Decision? {
    /// What is left of it after a change that is not durable: what both permit.
    fileprivate func limited(by change: Decision?) -> Decision? {
        guard var decision = self else { return change?.verdict == .denied ? change : nil }
        guard let terms = decision.terms, change?.verdict != .denied else {
            return decision.verdict == .denied ? decision : change
        }
        guard let limit = change?.terms else { return nil }
        decision.terms?.scope = terms.scope == .always ? limit.scope : terms.scope
        if limit.fidelity == .reduced { decision.terms?.fidelity = .reduced }
        decision.terms?.agreed = terms.agreed.limited(by: limit.agreed, decision.key.resource)
        return decision
    }
}
