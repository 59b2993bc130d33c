import Authorization
import Foundation

extension RecordContent {
    static func describe(_ session: SessionDescription) -> Fields {
        who(session.requester)
            + Fields {
                $0[.session] = session.identifier
                $0[.grants] = byResource(session.grants)
                $0[.decisionRecords] = byResource(session.decisionRecords)
                $0.set(.device, orNull: session.device)
                $0[.sharing] = session.sharing
                $0[.engine] = session.engine.recipient
                $0[.recognizer] = session.engine.name == nil ? nil : session.engine
                $0[.fidelityRecord] = session.fidelityRecord
                $0[.action] = session.monitorAction
            }
    }

    static func describe(_ outcome: SessionOutcome) -> Fields {
        let captured = outcome.account.captured
        return Fields {
            $0[.reason] = outcome.reason
            $0[.frames] = captured
            // Whole numbers only.
            $0[.milliseconds] = captured / ListeningAccount.framesInMillisecond
            $0[.listening] = ListeningCounts(outcome.account)
            $0[.deviceHeld] = outcome.isDeviceHeld ? true : nil
        }
    }

    private static func byResource<Value>(_ values: [Resource: Value]) -> [String: Value] {
        Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })
    }

    static func describe(_ counted: CountedRefusals) -> Fields {
        Fields {
            $0[.user] = counted.user
            $0[.since] = Timestamp(counted.since)
            $0[.refusals] = counted.count
            $0[.reasons] = counted.reasons.map(\.rawValue).sorted()
        }
    }

    static func describe(_ change: EngineChange) -> Fields {
        Fields {
            $0[.tasks] = change.tasks.map(\.rawValue)
            $0[.fromEngine] = change.from
            $0[.toEngine] = change.to
            $0[.user] = change.user
        }
    }

    static func describe(_ change: CollectorChange) -> Fields {
        Fields {
            $0.set(.previous, orNull: change.from)
            $0.set(.collector, orNull: change.to)
            $0[.url] = change.url
        }
    }
}

/// What is kept, shared and erased.
extension RecordContent {
    static func describe(_ data: RetainedData) -> Fields {
        Fields {
            $0[.session] = data.session
            $0[.client] = data.client
            $0[.user] = data.user
            $0[.item] = data.item
            $0[.dataKind] = data.kind
            $0[.bytes] = data.bytes
            $0[.until] =
                switch data.until {
                case .date(let date): Timestamp(date).text
                case .untilWithdrawn: "untilWithdrawn"
                }
            $0[.location] = data.location
        }
    }

    static func describe(_ data: UnkeptData) -> Fields {
        Fields {
            $0[.session] = data.session
            $0[.client] = data.client
            $0[.user] = data.user
            $0[.dataKind] = data.kind
            $0[.reason] = data.reason
        }
    }

    static func describe(_ data: ErasedData) -> Fields {
        Fields {
            $0[.items] = data.items
            $0[.dataKinds] = data.kinds
            $0[.client] = data.client
            $0[.user] = data.user
            $0[.reason] = data.reason.rawValue
        }
    }

    static func describe(_ data: SharedData) -> Fields {
        Fields {
            $0[.session] = data.session
            $0[.client] = data.client
            $0[.user] = data.user
            $0[.recipients] = data.recipients
            $0[.dataKinds] = data.kinds
            $0[.basis] = data.basis
        }
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
        let registration = Fields {
            $0[.monitor] = monitor.identifier
            $0[.client] = monitor.client
            $0[.user] = monitor.user
            $0[.waitsFor] = monitor.kind.name
            $0[.action] = monitor.action
            $0[.phrase] = monitor.kind.phrase
            $0[.once] = monitor.isOnce ? true : nil
        }
        return (kind, registration + fields)
    }
}

extension RecordContent {
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
            + Fields(.rightsScope, describe(request.scope))
    }

    static func describe(_ answer: RightsAnswer, to right: RightsRequest.Right) -> Fields {
        let outcome = Fields(.outcome, answer.outcome)
        guard right == .erasure else { return outcome }
        let kept = answer.kept.map { (Fields(.keptRecords, $0.records) + Fields(.keepingReason, $0.reason)).dictionary }
        return outcome + Fields(.erasedRecords, answer.records) + Fields(.erasedItems, answer.items)
            + Fields(.kept, kept)
    }

    static func describe(_ export: ExportDescription) -> Fields {
        personal(export.caller)
            + Fields {
                $0[.rightsScope] = describe(export.scope)
                $0[.format] = export.format
                $0[.sha256] = export.sha256
                $0[.size] = export.size
            }
    }

    /// What is absent does not narrow it.
    private static func describe(_ scope: RightsScope) -> [String: JSONValue] {
        Fields {
            $0[.client] = scope.client
            $0[.user] = scope.user
            $0[.subject] = scope.subject
            $0[.session] = scope.session
            $0[.since] = scope.since.map(Timestamp.init)
            $0[.before] = scope.before.map(Timestamp.init)
        }.dictionary
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
            fields: Fields {
                $0[.reason] = "restored"
                $0[.checkpoint] = start.checkpoint.rawValue
                $0[.key] = start.key.rawValue
                $0[.copy] = start.isCopy
                $0[.lastSigned] = lastSigned
            })
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
