import Consent

/// A record as a node of JSON-LD.
struct LinkedRecord {
    let record: ConsentRecord
    let log: String

    /// `nil` for a record that is not about consent, processing or a right.
    var node: JSONValue? {
        if let state = ConsentState(ofConsentIn: record) { return node("dpv:ConsentRecord", consent(state)) }
        if ConsentState(record) != nil { return node("dpv:DataProcessingRecord", decisionWithoutConsent) }
        switch record.kind {
        case .noticeChanged: return node("dpv:ConsentRecord", change)
        case .sessionStarted, .sessionStopped, .accessBlocked: return node("dpv:DataProcessingRecord", session)
        case .dataRetained, .dataErased, .dataShared: return node("dpv:DataProcessingRecord", data)
        case .requestReceived, .requestAnswered, .exportMade: return node("dpv:RightExerciseRecord", right)
        default: return nil
        }
    }

    private func node(_ type: String, _ members: [String: JSONValue?]) -> JSONValue {
        let common: [String: JSONValue?] = [
            "dct:identifier": .string(String(record.index)),
            "dct:conformsTo": .string("VoiceGate consent record, schema 2"),
            "dct:created": .time(record.time.text),
            "dct:type": .string(record.kind.rawValue),
            "dpv:hasDataSubject": person.map { .node($0, "dpv:DataSubject") },
            "dpv:hasEntity": record.text(.client).map {
                .node(
                    name("client", $0), members: ["dct:identifier": .string($0), "dct:title": string(.clientName)])
            },
        ]
        return .node(name("record", String(record.index)), type, members: common.merging(members) { $1 })
    }

    /// `urn:voicegate:LOG:KIND:VALUE`
    func name(_ kind: String, _ value: String) -> String { "urn:voicegate:\(log):\(kind):\(IRI.escaped(value))" }

    /// The pseudonym, or the user ID if there is none.
    var person: String? {
        (record[.subject] ?? record[.user].map(String.init)).map { name("subject", $0) }
    }

    func string(_ field: Field<some RecordText>) -> JSONValue? { record.text(field).map(JSONValue.string) }

    /// - Returns: `nil` without values.
    func references(_ kind: String, _ values: [String]) -> JSONValue? {
        values.isEmpty ? nil : .array(values.map { .reference(name(kind, $0)) })
    }

    private var session: [String: JSONValue?] {
        let isBlocked = record.kind == .accessBlocked
        let status =
            switch record.kind {
            case .sessionStarted: "dpv:ActivityOngoing"
            case .sessionStopped: "dpv:ActivityCompleted"
            default: "dpv:ActivityNotCompleted"
            }
        let decisions = record[.decisionRecords]?.values.sorted() ?? []
        let use = Use(record)
        let isFile = use.transcribed.times > 0
        return [
            "dpv:hasProcess": .node(
                record[.session].map { name("session", $0) }, "dpv:Process",
                members: [
                    "dpv:hasActivityStatus": .reference(status),
                    "dpv:hasProcessing": isBlocked
                        ? nil : .array(["dpv:Collect", "dpv:Derive"].map(JSONValue.reference)),
                    "ai:hasCapability": isBlocked ? nil : .reference("ai:SpeechRecognition"),
                    "dct:type": use.isEmpty ? nil : .string(isFile ? "transcribed" : "listened"),
                    "dpv:hasDuration": record[.listening].map { _ in
                        LinkedTerms.duration((isFile ? use.transcribed : use.listened).milliseconds)
                    },
                    "dct:description": string(.reason),
                ]),
            "dct:references": references("record", decisions.map(String.init)),
        ]
    }

    private var data: [String: JSONValue?] {
        let kinds = record.texts(.dataKinds) ?? record.text(.dataKind).map { [$0] }
        let items = (record[.items] ?? []) + [record[.item]].compactMap { $0 }
        var members = [
            "dpv:hasPersonalData": kinds.map(LinkedTerms.personalData), "dct:references": references("item", items),
        ]
        switch record.kind {
        case .dataRetained:
            members["dpv:hasProcessing"] = .reference("dpv:Store")
            members["dpv:hasStorageCondition"] = .array(LinkedTerms.storage(until: record[.until]))
        case .dataErased:
            members["dpv:hasProcessing"] = .reference("dpv:Erase")
            members["dct:description"] = string(.reason)
        default:
            members["dpv:hasProcessing"] = .reference("dpv:Share")
            members["dpv:hasRecipientThirdParty"] = LinkedTerms.recipients(record[.recipients] ?? [])
        }
        return members
    }

    private var right: [String: JSONValue?] {
        let status =
            switch (record.kind, record.text(.outcome)) {
            case (.requestReceived, _): "dpv:RequestInitiated"
            case (.requestAnswered, "failed"): "dpv:RequestUnfulfilled"
            case (.requestAnswered, "partly"): "dpv:RequestRequiresAction"
            default: "dpv:RequestFulfilled"
            }
        return [
            "dpv:hasRight": .reference(record.text(.right) == "erasure" ? "eu-gdpr:A17" : "eu-gdpr:A15"),
            "dct:references": record[.request].map { .reference(name("request", $0)) },
            "dpv:hasRequestStatus": .reference(status),
        ]
    }
}
