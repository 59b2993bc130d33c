import Authorization
import Consent

/// A request, a decision, or the end of a decision.
extension LinkedRecord {
    func consent(_ state: ConsentState) -> JSONValue {
        var members = common
        members["dpv:hasConsentStatus"] = Vocabulary.reference("dpv:" + state.rawValue)
        if state != .requested { members["dpv:isIndicatedAtTime"] = Vocabulary.time(record.time) }
        if let language = record.text("language") { members["dct:language"] = .string(language) }
        if let resource = record.text("resource") { members["dct:subject"] = .string(resource) }
        members.merge(practices) { $1 }
        members.merge(indication(state)) { $1 }
        if let notice { members["dpv:hasNotice"] = notice }
        if state == .given || state == .renewed {
            members["dpv:hasLegalBasis"] = Vocabulary.reference("dpv:ExplicitlyExpressedConsent")
            members["dpv:hasConsentControl"] = control
            if let duration { members["dpv:hasDuration"] = duration }
        }
        if let controller { members["dpv:hasDataController"] = controller }
        if let place = record.text("jurisdiction") { members["dpv:hasJurisdiction"] = .string(place) }
        let earlier = ["noticeRecord", "askedRecord", "decisionRecord"].compactMap(record.number)
        if !earlier.isEmpty {
            members["dct:references"] = .array(earlier.map { Vocabulary.reference(name("record", String($0))) })
        }
        return Vocabulary.node(identifier, "dpv:ConsentRecord", members: members)
    }

    /// A change to a notice.
    var change: JSONValue {
        var members = common.merging(practices) { $1 }
        members["dpv:hasNoticeStatus"] = Vocabulary.reference("dpv:NoticeUpdated")
        if let notice { members["dpv:hasNotice"] = notice }
        return Vocabulary.node(identifier, "dpv:ConsentRecord", members: members)
    }

    /// The four data items.
    private var practices: [String: JSONValue] {
        guard let kinds = record.texts("dataKinds") else { return [:] }
        var members: [String: JSONValue] = [
            "dpv:hasPersonalData": LinkedTerms.personalData(kinds), "dpv:hasProcessing": LinkedTerms.processing(kinds),
        ]
        if kinds.contains(DataKind.transcript.rawValue) {
            members["ai:hasCapability"] = Vocabulary.reference("ai:SpeechRecognition")
        }
        if let purpose = record.text("purpose") {
            members["dpv:hasPurpose"] = Vocabulary.node(
                nil, "dpv:RequestedServiceProvision",
                members: ["dct:description": Vocabulary.words(purpose, record.text("language"))])
        }
        if record.has("retention") {
            members["dpv:hasStorageCondition"] = .array(
                LinkedTerms.storage(record.text("retention"), record.text("language")))
        }
        // An empty list means nobody; a missing list means not declared.
        if let recipients = record.texts("recipients"), !recipients.isEmpty {
            members["dpv:hasRecipientThirdParty"] = LinkedTerms.recipients(recipients)
        }
        return members
    }

    private func indication(_ state: ConsentState) -> [String: JSONValue] {
        guard state != .requested, let method = record.text("indication") else { return [:] }
        var members = ["dpv:hasIndicationMethod": JSONValue.string(method)]
        if let person = record.text("subject") ?? record.number("user").map(String.init) {
            members["dpv:isIndicatedBy"] = Vocabulary.reference(name("subject", person))
        }
        return members
    }

    private var notice: JSONValue? {
        guard let hash = record.text("noticeSHA256") else { return nil }
        var members: [String: JSONValue] = ["dct:identifier": .string("sha256:" + hash)]
        if let text = record.text("notice") {
            members["dct:description"] = Vocabulary.words(text, record.text("language"))
        }
        return Vocabulary.node(name("notice", hash), "dpv:DeviceNotice", "dpv:JITNotice", members: members)
    }

    private var control: JSONValue {
        var members: [String: JSONValue] = [:]
        if let method = record.text("withdrawal") { members["dct:description"] = .string(method) }
        return Vocabulary.node(nil, "dpv:WithdrawConsent", members: members)
    }

    private var duration: JSONValue? {
        switch record.text("scope").flatMap(Scope.init(rawValue:)) {
        case .once:
            Vocabulary.node(nil, "dpv:FixedOccurrencesDuration", members: ["dct:extent": .integer(1)])
        case .whileInUse, .always:
            Vocabulary.node(
                nil, "dpv:UntilEventDuration",
                members: ["dct:description": .string("until it is withdrawn or expires")])
        case nil: nil
        }
    }

    private var controller: JSONValue? {
        guard let parts = record.fields["controller"]?.object else { return nil }
        let members = ["dpv:hasName": "name", "dpv:hasAddress": "address", "dpv:hasContact": "contact"].compactMapValues
        {
            parts[$0]?.string.map(JSONValue.string)
        }
        return Vocabulary.node(nil, "dpv:DataController", members: members)
    }
}
