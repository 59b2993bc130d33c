import Authorization

/// What the person asks of the log.
extension RecordContent {
    static func describe(_ request: RightsRequest) -> Fields {
        personal(request.caller) + [
            "request": .string(request.identifier),
            "right": .string(request.right.rawValue),
            "scope": .object(describe(request.scope)),
        ]
    }

    static func describe(_ answer: RightsAnswer, to right: RightsRequest.Right) -> Fields {
        let outcome: Fields = ["outcome": .string(answer.outcome.rawValue)]
        guard right == .erasure else { return outcome }
        let kept = answer.kept.map { kept in
            JSONValue.object([
                "records": .integer(Int64(kept.records)), "reason": .string(kept.reason.rawValue),
            ])
        }
        return outcome + [
            "erasedRecords": .integer(Int64(answer.records)),
            "erasedItems": .integer(Int64(answer.items)),
            "kept": .array(kept),
        ]
    }

    static func describe(_ export: ExportDescription) -> Fields {
        personal(export.caller) + [
            "scope": .object(describe(export.scope)),
            "format": .string(export.format),
            "sha256": .string(export.sha256),
            "size": .index(export.size),
        ]
    }

    /// What is absent does not narrow it.
    private static func describe(_ scope: RightsScope) -> Fields {
        .optional("client", scope.client.map { .string($0.rawValue) })
            + .optional("user", scope.user.map { .integer(Int64($0)) })
            + .optional("subject", scope.subject.map(JSONValue.string))
            + .optional("session", scope.session.map(JSONValue.string))
            + .optional("since", scope.since.map(JSONValue.time))
            + .optional("before", scope.before.map(JSONValue.time))
    }
}
