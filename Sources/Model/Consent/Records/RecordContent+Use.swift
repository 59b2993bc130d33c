import Authorization
import Base
import Foundation

extension RecordContent {
    @FieldsBuilder static func describe(_ session: SessionDescription) -> Fields {
        who(session.requester)
        Fields(.session, session.identifier)
        Fields(.grants, byResource(session.grants))
        Fields(.decisionRecords, byResource(session.decisionRecords))
        Fields(.device, orNull: session.device)
        Fields(.sharing, session.sharing)
        Fields(.engine, session.engine.recipient)
        Fields(.recognizer, session.engine.name == nil ? nil : session.engine)
        Fields(.fidelityRecord, session.fidelityRecord)
        Fields(.action, session.monitorAction)
    }

    private static func byResource<Value>(_ values: [Resource: Value]) -> [String: Value] {
        Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })
    }

    @FieldsBuilder static func describe(_ counted: CountedRefusals) -> Fields {
        Fields(.user, counted.user)
        Fields(.since, Timestamp(counted.since))
        Fields(.refusals, counted.count)
        Fields(.reasons, counted.reasons.map(\.rawValue).sorted())
    }

    @FieldsBuilder static func change(of tasks: [EngineTask], _ from: SpeechEngine, _ to: SpeechEngine) -> Fields {
        Fields(.tasks, tasks.map(\.rawValue))
        Fields(.fromEngine, from)
        Fields(.toEngine, to)
    }
}

/// What is kept, shared and erased.
extension RecordContent {
    @FieldsBuilder static func kept(
        _ item: String, _ kind: DataKind, _ bytes: Int64, _ until: String, _ location: String
    ) -> Fields {
        Fields(.item, item)
        Fields(.dataKind, kind)
        Fields(.bytes, bytes)
        Fields(.until, until)
        Fields(.location, location)
    }

    @FieldsBuilder static func erased(
        _ items: [String], _ kinds: [DataKind], _ client: ClientIdentifier, _ user: UInt32
    ) -> Fields {
        Fields(.items, items)
        Fields(.dataKinds, kinds)
        Fields(.client, client)
        Fields(.user, user)
    }
}

extension RecordContent {
    static func describe(
        _ occurrence: MonitorOccurrence, of monitor: MonitorRegistration
    ) -> (RecordKind, Fields) {
        let (kind, fields): (RecordKind, Fields) =
            switch occurrence {
            case .registered(let caller): (.monitorRegistered, decided(by: caller))
            case .removed(let reason): (.monitorRemoved, Fields(.reason, reason.rawValue))
            case .paused(let reason): (.monitorPaused, Fields(.reason, reason.rawValue))
            case .resumed: (.monitorResumed, Fields())
            case .triggered: (.monitorTriggered, Fields())
            case .failed(let reason): (.monitorFailed, Fields(.reason, reason))
            case .started(let process, let boot):
                (
                    .monitorStarted,
                    Fields(.process, process.processIdentifier) + Fields(.processStartTime, process.startTime)
                        + Fields(.boot, boot)
                )
            case .exited(let exit): (.monitorExited, describe(exit))
            }
        return (kind, describe(monitor) + fields)
    }
}

extension RecordContent {
    @FieldsBuilder private static func describe(_ monitor: MonitorRegistration) -> Fields {
        Fields(.monitor, monitor.identifier)
        Fields(.client, monitor.client)
        Fields(.user, monitor.user)
        Fields(.waitsFor, monitor.kind.name)
        Fields(.action, monitor.action)
        Fields(.phrase, monitor.kind.phrase)
        Fields(.once, monitor.isOnce ? true : nil)
    }

    private static func describe(_ exit: MonitorExit) -> Fields {
        switch exit {
        case .status(let status): Fields(.status, status)
        case .unknownStatus: Fields(.statusUnknown, true)
        case .whileStopped: Fields(.whileStopped, true)
        }
    }
}

/// What the person asks of the log.
extension RecordContent {
    static func describe(_ request: RightsRequest) -> Fields {
        personal(request.caller) + Fields(.request, request.identifier) + Fields(.right, request.right)
            + Fields(.rightsScope, describe(request.scope).dictionary)
    }

    @FieldsBuilder static func erased(
        _ records: Int, _ items: Int, _ kept: [(records: Int, reason: KeepingReason)]
    ) -> Fields {
        Fields(.erasedRecords, records)
        Fields(.erasedItems, items)
        Fields(.kept, kept.map { (Fields(.keptRecords, $0.records) + Fields(.keepingReason, $0.reason)).dictionary })
    }

    @FieldsBuilder static func exported(
        _ scope: RightsScope, _ format: String, _ sha256: String, _ size: UInt64
    ) -> Fields {
        Fields(.rightsScope, describe(scope).dictionary)
        Fields(.format, format)
        Fields(.sha256, sha256)
        Fields(.size, size)
    }

    /// What is absent does not narrow it.
    @FieldsBuilder private static func describe(_ scope: RightsScope) -> Fields {
        Fields(.client, scope.client)
        Fields(.user, scope.user)
        Fields(.subject, scope.subject)
        Fields(.session, scope.session)
        Fields(.since, scope.since.map(Timestamp.init))
        Fields(.before, scope.before.map(Timestamp.init))
    }
}

/// What the log writes about itself.
extension RecordContent {
    /// - Parameter identifier: 16 random bytes that identify the log.
    static func genesis(identifier: Data) -> RecordContent {
        RecordContent(
            kind: .genesis,
            fields: Fields(.log, Hexadecimal.encode(identifier)) + Fields(.hash, "SHA-256"))
    }

    /// - Parameters:
    ///   - previous: the verifier key that signed until now; `nil` for the first one.
    ///   - current: the verifier key that signs from now on.
    static func keyRotated(previous: String?, current: String, reason: KeyRotation) -> RecordContent {
        RecordContent(
            kind: .keyRotated,
            fields: Fields(.key, current) + Fields(.reason, reason.rawValue) + Fields(.previousKey, previous))
    }

    /// - Parameters:
    ///   - start: what was found.
    ///   - lastSigned: how many records the last checkpoint counted, if that is known.
    static func restored(_ start: LogStart, lastSigned: UInt64?) -> RecordContent {
        RecordContent(
            kind: .recovery,
            fields: Fields(.reason, "restored") + Fields(.checkpoint, start.checkpoint.rawValue)
                + Fields(.key, start.key.rawValue) + Fields(.copy, start.isCopy) + Fields(.lastSigned, lastSigned))
    }

    /// - Parameter destination: a command or a file, as the user named it.
    static func checkpointPublished(size: UInt64, root: MerkleHash, destination: String) -> RecordContent {
        RecordContent(
            kind: .checkpointPublished,
            fields: Fields(.size, size) + Fields(.root, root.base64) + Fields(.destination, destination))
    }

    static func clockJumped(_ jump: ClockJump) -> RecordContent {
        RecordContent(
            kind: .clockJump,
            fields: Fields(.fromTime, jump.from) + Fields(.toTime, jump.to) + Fields(.milliseconds, jump.milliseconds))
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
