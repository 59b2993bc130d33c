import Authorization

/// What the person is asked and decides.
extension RecordContent {
    /// The record of the decision that is taken back, renewed or put out of effect, where it is known.
    static func made(by decision: UInt64?) -> Fields { .optional("decisionRecord", decision.map(JSONValue.index)) }

    static func asked(_ prompt: Prompt) -> Fields {
        who(prompt.requester) + about(prompt.resource) + ["question": .string(word(for: prompt.question))]
    }

    private static func word(for question: Question) -> String {
        switch question {
        case .firstUse: "firstUse"
        case .identityChanged: "identityChanged"
        case .upgradeToAlways: "upgradeToAlways"
        case .review: "review"
        case .temporaryFullFidelity: "temporaryFullFidelity"
        }
    }

    static func answered(
        _ prompt: Prompt, _ indication: Indication, _ notice: UInt64, _ context: RecordContext
    ) -> Fields {
        let client = prompt.requester.client
        return asked(prompt) + shown(prompt.notice)
            + basis(prompt.requester.key(for: prompt.resource), name: client.displayName, prompt.notice, context)
            + ["indication": .string(indication.rawValue), "noticeRecord": .index(notice)]
    }

    /// - Parameter notice: what settings show of the client; `nil` where no manifest describes it any more.
    static func settled(
        _ key: DecisionKey, _ notice: Notice?, _ caller: Caller, _ context: RecordContext
    ) -> Fields {
        let indication = Indication(settlingFor: key.user, by: caller)
        var fields = about(key) + decided(by: caller) + ["indication": .string(indication.rawValue)]
        if let notice {
            fields = fields + shown(notice) + basis(key, name: notice.clientName, notice, context)
        }
        return fields
    }

    static func allowed(_ scope: Scope, _ fidelity: Fidelity) -> Fields {
        let validity =
            switch scope {
            case .once: "once"
            case .whileInUse: "whileInUse"
            case .always: "untilReviewed"
            }
        return [
            "scope": .string(scope.rawValue), "fidelity": .string(fidelity.rawValue), "validity": .string(validity),
        ]
    }
}
