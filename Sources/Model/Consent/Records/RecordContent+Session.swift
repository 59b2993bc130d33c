import Authorization

extension RecordContent {
    static func describe(_ session: SessionDescription) -> Fields {
        who(session.requester) + [
            "session": .string(session.identifier),
            "grants": .object(byResource(session.grants) { .string($0) }),
            "decisionRecords": .object(byResource(session.decisionRecords, JSONValue.index)),
            "device": JSONValue(session.device),
            "sharing": .string(session.sharing.rawValue),
        ] + .optional("engine", session.engine.recipient.map { .string($0) })
            + .optional("fidelityRecord", session.fidelityRecord.map(JSONValue.index))
    }

    static func describe(_ outcome: SessionOutcome) -> Fields {
        [
            "reason": .string(outcome.reason),
            "frames": .integer(outcome.frames),
            // Whole numbers only: 16 frames are a millisecond.
            "milliseconds": .integer(outcome.frames / 16),
        ]
    }

    private static func byResource<Value>(
        _ values: [Resource: Value], _ json: (Value) -> JSONValue
    ) -> [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, json($0.value)) })
    }
}
