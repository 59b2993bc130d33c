import Authorization
import Foundation

extension RecordContent {
    static func describe(_ session: SessionDescription) -> Fields {
        who(session.requester) + [
            "session": .string(session.identifier),
            "grants": .object(byResource(session.grants) { .string($0) }),
            "decisionRecords": .object(byResource(session.decisionRecords, JSONValue.index)),
            "device": JSONValue(session.device),
            "sharing": .string(session.sharing.rawValue),
        ] + .optional("engine", session.engine.recipient.map { .string($0) })
            + .optional("recognizer", session.engine.name == nil ? nil : describe(session.engine))
            + .optional("fidelityRecord", session.fidelityRecord.map(JSONValue.index))
            + .optional("action", session.monitorAction.map { .string($0.rawValue) })
    }

    /// Unknown values are left out.
    private static func describe(_ engine: SpeechEngine) -> JSONValue {
        let texts = [
            ("name", engine.name), ("version", engine.version), ("modelSHA256", engine.model),
            ("recipient", engine.recipient),
        ]
        return .object(
            Dictionary(
                uniqueKeysWithValues: texts.compactMap { name, text in
                    text.map { (name, JSONValue.string($0)) }
                }))
    }

    static func describe(_ counted: CountedRefusals) -> Fields {
        [
            "user": .integer(Int64(counted.user)), "since": .time(counted.since),
            "refusals": .integer(Int64(counted.count)),
            "reasons": .texts(counted.reasons.map(\.rawValue).sorted()),
        ]
    }

    static func describe(_ change: EngineChange) -> Fields {
        [
            "tasks": .texts(change.tasks.map(\.rawValue)), "from": describe(change.from), "to": describe(change.to),
            "user": .integer(Int64(change.user)),
        ]
    }

    static func describe(_ outcome: SessionOutcome) -> Fields {
        let captured = outcome.account.captured
        return [
            "reason": .string(outcome.reason),
            "frames": .integer(captured),
            // Whole numbers only.
            "milliseconds": .integer(captured / ListeningAccount.framesInMillisecond),
            "listening": .object(describe(outcome.account)),
        ] + .optional("deviceHeld", outcome.isDeviceHeld ? .boolean(true) : nil)
    }

    /// In milliseconds, which add up to those of the session.
    private static func describe(_ account: ListeningAccount) -> [String: JSONValue] {
        let milliseconds = account.milliseconds
        func counts(_ kinds: [(String, ListeningAccount.Kind)]) -> JSONValue {
            .object(
                Dictionary(
                    uniqueKeysWithValues: kinds.compactMap { name, kind in
                        milliseconds[kind].map { (name, JSONValue.integer($0)) }
                    }))
        }
        return [
            "heard": counts(ListeningGround.allCases.map { ($0.rawValue, .heard($0)) }),
            "dropped": counts(DropReason.allCases.map { ($0.rawValue, .dropped($0)) }),
            "paused": .integer(milliseconds[.paused] ?? 0),
            "suspended": .integer(milliseconds[.suspended] ?? 0),
        ]
    }

    private static func byResource<Value>(
        _ values: [Resource: Value], _ json: (Value) -> JSONValue
    ) -> [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, json($0.value)) })
    }
}

/// What is kept, shared and erased.
extension RecordContent {
    static func describe(_ data: RetainedData) -> Fields {
        let until: JSONValue =
            switch data.until {
            case .date(let date): .time(date)
            case .untilWithdrawn: .string("untilWithdrawn")
            }
        return [
            "session": .string(data.session),
            "client": .string(data.client.rawValue),
            "user": .integer(Int64(data.user)),
            "item": .string(data.item),
            "dataKind": .string(data.kind.rawValue),
            "bytes": .integer(data.bytes),
            "until": until,
            "location": .string(data.location),
        ]
    }

    static func describe(_ data: UnkeptData) -> Fields {
        [
            "session": .string(data.session),
            "client": .string(data.client.rawValue),
            "user": .integer(Int64(data.user)),
            "dataKind": .string(data.kind.rawValue),
            "reason": .string(data.reason),
        ]
    }

    static func describe(_ data: ErasedData) -> Fields {
        [
            "items": .texts(data.items),
            "dataKinds": .texts(data.kinds.map(\.rawValue)),
            "client": .string(data.client.rawValue),
            "user": .integer(Int64(data.user)),
            "reason": .string(data.reason.rawValue),
        ]
    }

    static func describe(_ data: SharedData) -> Fields {
        [
            "session": .string(data.session),
            "client": .string(data.client.rawValue),
            "user": .integer(Int64(data.user)),
            "recipients": .texts(data.recipients),
            "dataKinds": .texts(data.kinds.map(\.rawValue)),
            "basis": .string(data.basis.rawValue),
        ]
    }
}

extension RecordContent {
    static func describe(
        _ occurrence: MonitorOccurrence, of monitor: MonitorRegistration
    ) -> (RecordKind, Fields) {
        let (kind, fields): (RecordKind, Fields) =
            switch occurrence {
            case .registered(let caller): (.monitorRegistered, decided(by: caller))
            case .removed(let reason): (.monitorRemoved, ["reason": .string(reason.rawValue)])
            case .paused(let reason): (.monitorPaused, ["reason": .string(reason.rawValue)])
            case .resumed: (.monitorResumed, [:])
            case .triggered: (.monitorTriggered, [:])
            case .failed(let reason): (.monitorFailed, ["reason": .string(reason)])
            case .started(let process, let boot):
                (
                    .monitorStarted,
                    [
                        "process": .integer(Int64(process.processIdentifier)),
                        "processStartTime": .integer(Int64(clamping: process.startTime)), "boot": .string(boot),
                    ]
                )
            case .exited(let exit): (.monitorExited, describe(exit))
            }
        let registration: Fields = [
            "monitor": .string(monitor.identifier), "client": .string(monitor.client.rawValue),
            "user": .integer(Int64(monitor.user)), "waitsFor": .string(monitor.kind.name),
            "action": .string(monitor.action.rawValue),
        ]
        let once: Fields = monitor.isOnce ? ["once": .boolean(true)] : [:]
        return (kind, registration + .optional("phrase", monitor.kind.phrase.map(JSONValue.string)) + once + fields)
    }
}

extension RecordContent {
    private static func describe(_ exit: MonitorExit) -> Fields {
        switch exit {
        case .status(let status): ["status": .integer(Int64(status))]
        case .unknownStatus: ["statusUnknown": .boolean(true)]
        case .whileStopped: ["whileStopped": .boolean(true)]
        }
    }
}

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
    private static func describe(_ scope: RightsScope) -> [String: JSONValue] {
        .optional("client", scope.client.map { .string($0.rawValue) })
            + .optional("user", scope.user.map { .integer(Int64($0)) })
            + .optional("subject", scope.subject.map(JSONValue.string))
            + .optional("session", scope.session.map(JSONValue.string))
            + .optional("since", scope.since.map(JSONValue.time))
            + .optional("before", scope.before.map(JSONValue.time))
    }
}

/// What the log writes about itself.
extension RecordContent {
    /// - Parameter identifier: 16 random bytes that identify the log.
    static func genesis(identifier: Data) -> RecordContent {
        RecordContent(
            kind: .genesis,
            fields: ["log": .string(Hexadecimal.encode(identifier)), "hash": .string("SHA-256")])
    }

    /// - Parameters:
    ///   - previous: the verifier key that signed until now; `nil` for the first one.
    ///   - current: the verifier key that signs from now on.
    static func keyRotated(previous: String?, current: String, reason: KeyRotation) -> RecordContent {
        RecordContent(
            kind: .keyRotated,
            fields: ["key": .string(current), "reason": .string(reason.rawValue)]
                + .optional("previousKey", previous.map(JSONValue.string)))
    }

    /// - Parameters:
    ///   - start: what was found.
    ///   - lastSigned: how many records the last checkpoint counted, if that is known.
    static func restored(_ start: LogStart, lastSigned: UInt64?) -> RecordContent {
        RecordContent(
            kind: .recovery,
            fields: [
                "reason": .string("restored"), "checkpoint": .string(start.checkpoint.rawValue),
                "key": .string(start.key.rawValue), "copy": .boolean(start.isCopy),
            ] + .optional("lastSigned", lastSigned.map(JSONValue.index)))
    }

    /// - Parameter destination: a command or a file, as the user named it.
    static func checkpointPublished(size: UInt64, root: MerkleHash, destination: String) -> RecordContent {
        RecordContent(
            kind: .checkpointPublished,
            fields: ["size": .index(size), "root": .string(root.base64), "destination": .string(destination)])
    }

    static func clockJumped(_ jump: ClockJump) -> RecordContent {
        RecordContent(
            kind: .clockJump,
            fields: [
                "from": .string(jump.from.text), "to": .string(jump.to.text),
                "milliseconds": .integer(jump.milliseconds),
            ])
    }
}

/// Why the key that signs checkpoints is another.
enum KeyRotation: String, Sendable {
    /// The log had none.
    case created
    case rotated
    /// The former one was lost.
    case lost
    /// The log was restored, so that another copy may sign with the former one.
    case restored
}
