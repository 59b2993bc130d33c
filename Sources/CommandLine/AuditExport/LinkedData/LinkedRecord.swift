import Consent

/// A record as a node of JSON-LD.
struct LinkedRecord {
    let record: AuditRecord
    let log: String

    /// `nil` for a record that is not about consent, processing or a right.
    var node: JSONValue? {
        if let state = ConsentState(record) { return consent(state) }
        switch record.kind {
        case "notice.changed": return change
        case "session.started", "session.stopped", "access.blocked": return processing(session)
        case "data.retained", "data.erased", "data.shared": return processing(data)
        case "request.received", "request.answered", "export.made": return right
        default: return nil
        }
    }

    /// `urn:voicegate:LOG:KIND:VALUE`
    func name(_ kind: String, _ value: String) -> String { "urn:voicegate:\(log):\(kind):\(IRI.escaped(value))" }

    var common: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "dct:identifier": .string(String(record.index)),
            "dct:conformsTo": .string("VoiceGate consent record, schema 2"),
            "dct:created": Vocabulary.time(record.time),
            "dct:type": .string(record.kind),
        ]
        if let subject { members["dpv:hasDataSubject"] = subject }
        if let client = record.text("client") { members["dpv:hasEntity"] = program(client) }
        return members
    }

    var identifier: String { name("record", String(record.index)) }

    /// The pseudonym, or the user ID if there is none.
    private var subject: JSONValue? {
        guard let person = record.text("subject") ?? record.number("user").map(String.init) else { return nil }
        return Vocabulary.node(name("subject", person), "dpv:DataSubject")
    }

    private func program(_ client: String) -> JSONValue {
        var members: [String: JSONValue] = ["dct:identifier": .string(client)]
        if let title = record.text("clientName") { members["dct:title"] = .string(title) }
        return .object(members.merging(["@id": .string(name("client", client))]) { $1 })
    }

    private func processing(_ process: [String: JSONValue]) -> JSONValue {
        Vocabulary.node(identifier, "dpv:DataProcessingRecord", members: common.merging(process) { $1 })
    }

    private var session: [String: JSONValue] {
        let status: String
        switch record.recordKind {
        case .sessionStarted: status = "dpv:ActivityOngoing"
        case .sessionStopped: status = "dpv:ActivityCompleted"
        default: status = "dpv:ActivityNotCompleted"
        }
        var process: [String: JSONValue] = ["dpv:hasActivityStatus": Vocabulary.reference(status)]
        if record.recordKind != .accessBlocked {
            process["dpv:hasProcessing"] = .array(["dpv:Collect", "dpv:Derive"].map(Vocabulary.reference))
            process["ai:hasCapability"] = Vocabulary.reference("ai:SpeechRecognition")
        }
        if let milliseconds = record.number("milliseconds") {
            // ISO 8601, section 5.5.2.
            let seconds = "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
            process["dpv:hasDuration"] = Vocabulary.node(
                nil, "dpv:TemporalDuration",
                members: [
                    "dct:extent": .object(["@type": .string("xsd:duration"), "@value": .string("PT\(seconds)S")])
                ])
        }
        if let reason = record.text("reason") { process["dct:description"] = .string(reason) }
        var members = [
            "dpv:hasProcess": Vocabulary.node(
                record.text("session").map { name("session", $0) }, "dpv:Process", members: process)
        ]
        let decisions = record.fields["decisionRecords"]?.object?.values.compactMap(\.integer).sorted() ?? []
        if !decisions.isEmpty {
            members["dct:references"] = .array(decisions.map { Vocabulary.reference(name("record", String($0))) })
        }
        return members
    }

    private var data: [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        let kinds = record.texts("dataKinds") ?? record.text("dataKind").map { [$0] }
        if let kinds { members["dpv:hasPersonalData"] = LinkedTerms.personalData(kinds) }
        switch record.kind {
        case "data.retained":
            members["dpv:hasProcessing"] = Vocabulary.reference("dpv:Store")
            members["dpv:hasStorageCondition"] = .array(LinkedTerms.storage(until: record.text("until")))
        case "data.erased":
            members["dpv:hasProcessing"] = Vocabulary.reference("dpv:Erase")
            if let reason = record.text("reason") { members["dct:description"] = .string(reason) }
        default:
            members["dpv:hasProcessing"] = Vocabulary.reference("dpv:Share")
            members["dpv:hasRecipientThirdParty"] = LinkedTerms.recipients(record.texts("recipients") ?? [])
        }
        let items = (record.texts("items") ?? []) + [record.text("item")].compactMap { $0 }
        if !items.isEmpty { members["dct:references"] = .array(items.map { Vocabulary.reference(name("item", $0)) }) }
        return members
    }

    private var right: JSONValue {
        var members = common
        let isErasure = record.text("right") == "erasure"
        members["dpv:hasRight"] = Vocabulary.reference(isErasure ? "eu-gdpr:A17" : "eu-gdpr:A15")
        if let request = record.text("request") {
            members["dct:references"] = Vocabulary.reference(name("request", request))
        }
        let status =
            switch (record.recordKind, record.text("outcome")) {
            case (.requestReceived, _): "dpv:RequestInitiated"
            case (.requestAnswered, "failed"): "dpv:RequestUnfulfilled"
            case (.requestAnswered, "partly"): "dpv:RequestRequiresAction"
            default: "dpv:RequestFulfilled"
            }
        members["dpv:hasRequestStatus"] = Vocabulary.reference(status)
        return Vocabulary.node(identifier, "dpv:RightExerciseRecord", members: members)
    }
}
