import Authorization
import Consent

/// A request, a person's decision, or the end of one.
extension LinkedRecord {
    func consent(_ state: ConsentState) -> [String: JSONValue?] {
        let isGrant = state == .given || state == .renewed
        let isAnswer = record.isAnsweredByPerson && state != .requested
        let members: [String: JSONValue?] = [
            "dpv:hasConsentStatus": .reference("dpv:" + state.rawValue),
            "dpv:isIndicatedAtTime": isAnswer ? .time(record.time.text) : nil,
            "dpv:hasIndicationMethod": isAnswer ? string(.indication) : nil,
            "dpv:isIndicatedBy": isAnswer ? person.map(JSONValue.reference) : nil,
            "dct:language": string(.language),
            "dct:subject": string(.resource),
            "dpv:hasNotice": notice,
            "dpv:hasLegalBasis": isGrant ? .reference("dpv:ExplicitlyExpressedConsent") : nil,
            "dpv:hasConsentControl": isGrant
                ? .node(nil, "dpv:WithdrawConsent", members: ["dct:description": string(.withdrawal)]) : nil,
            "dpv:hasDuration": isGrant ? duration : nil,
            "dpv:hasDataController": controller,
            "dpv:hasJurisdiction": string(.jurisdiction),
            "dct:references": earlier,
        ]
        return members.merging(practices) { $1 }
    }

    /// A permission that was granted, refused or kept without an answer of the person.
    var decisionWithoutConsent: [String: JSONValue?] {
        let isRefusal = ConsentState(record) == .revoked || ConsentState(record) == .refused
        let members: [String: JSONValue?] = [
            "dct:subject": string(.resource),
            "dct:description": string(.reason) ?? string(.indication),
            "dpv:hasProcess": isRefusal
                ? .node(
                    nil, "dpv:Process",
                    members: ["dpv:hasActivityStatus": .reference("dpv:ActivityNotCompleted")]) : nil,
            "dpv:hasDataController": controller,
            "dpv:hasJurisdiction": string(.jurisdiction),
            "dct:references": earlier,
        ]
        return members.merging(practices) { $1 }
    }

    private var earlier: JSONValue? {
        let records = [record[.noticeRecord], record[.askedRecord], record[.decisionRecord]].compactMap { $0 }
        return references("record", records.map(String.init))
    }

    /// A change to a notice.
    var change: [String: JSONValue?] {
        practices.merging(["dpv:hasNoticeStatus": .reference("dpv:NoticeUpdated"), "dpv:hasNotice": notice]) { $1 }
    }

    /// The four data items.
    private var practices: [String: JSONValue?] {
        guard let kinds = record.texts(.dataKinds) else { return [:] }
        let language = record.text(.language)
        // An empty list means no one; a missing list means not declared.
        let recipients = record[.recipients] ?? []
        return [
            "dpv:hasPersonalData": LinkedTerms.personalData(kinds),
            "dpv:hasProcessing": LinkedTerms.processing(kinds),
            "ai:hasCapability": kinds.contains(DataKind.transcript.rawValue)
                ? .reference("ai:SpeechRecognition") : nil,
            "dpv:hasPurpose": record[.purpose].map {
                .node(nil, "dpv:RequestedServiceProvision", members: ["dct:description": .words($0, language)])
            },
            "dpv:hasStorageCondition": record.json(of: .retention) != nil
                ? .array(LinkedTerms.storage(record[.retention], language)) : nil,
            "dpv:hasRecipientThirdParty": recipients.isEmpty ? nil : LinkedTerms.recipients(recipients),
        ]
    }

    private var notice: JSONValue? {
        record[.noticeSHA256].map { hash in
            .node(
                name("notice", hash), "dpv:DeviceNotice", "dpv:JITNotice",
                members: [
                    "dct:identifier": .string("sha256:" + hash),
                    "dct:description": record[.notice].map { .words($0, record.text(.language)) },
                ])
        }
    }

    private var duration: JSONValue? {
        switch record.text(.scope).flatMap(Scope.init(rawValue:)) {
        case .once: .node(nil, "dpv:FixedOccurrencesDuration", members: ["dct:extent": .integer(1)])
        case .whileInUse, .always:
            .node(
                nil, "dpv:UntilEventDuration",
                members: ["dct:description": .string("until it is withdrawn or expires")])
        case nil: nil
        }
    }

    private var controller: JSONValue? {
        record[.controller].map { controller in
            let parts = [
                "dpv:hasName": controller.name, "dpv:hasAddress": controller.address,
                "dpv:hasContact": controller.contact,
            ]
            return .node(nil, "dpv:DataController", members: parts.mapValues { $0.map(JSONValue.string) })
        }
    }
}
