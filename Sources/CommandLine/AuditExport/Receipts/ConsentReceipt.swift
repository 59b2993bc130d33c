import Authorization
import Consent
import Cryptography
import Foundation

/// A receipt of one consent or its withdrawal, for the person to keep: what the record says, in a form for other programs,
/// with the record itself and its proof. The same proof gives the same bytes, so a receipt can be checked by making it again.
public struct ConsentReceipt: Sendable {
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// ISO/IEC TS 27560 in JSON-LD, with the terms of `consent.jsonld`.
        case jsonld
        /// Kantara Consent Receipt Specification 1.1, with an extension for the proof.
        case kantara

        public var suffix: String { self == .jsonld ? "jsonld" : "json" }
    }

    /// The member of a receipt that has the proof's text, and that of the keys.
    private static let (proofMember, keysMember) = ("proof", "keys")

    let record: ConsentRecord
    let state: ConsentState
    /// With its record; see `OfflineProof.extra`.
    public let proof: OfflineProof
    /// Verifier keys of the log, newest last.
    public let keys: [String]

    /// - Returns: `nil` unless the proof has the record of a consent that a person gave, or of its withdrawal, and the record
    ///   still has its fields.
    public init?(_ proof: OfflineProof, keys: [String]) {
        guard let extra = proof.extra, let entry = AuditEntry(line: extra + [0x0A], limit: BundleLayout.maximumLine),
            let record = try? ConsentRecord(entry), let state = Self.state(of: record)
        else { return nil }
        (self.record, self.state, self.proof, self.keys) = (record, state, proof, keys)
    }

    /// - Returns: `nil` for a record that gets no receipt.
    public static func isDue(for record: ConsentRecord) -> Bool { state(of: record) != nil }

    private static func state(of record: ConsentRecord) -> ConsentState? {
        guard !record.isErased, let state = ConsentState(ofConsentIn: record),
            [.given, .renewed, .withdrawn].contains(state) || state == .refused && record.isInSettings
        else { return nil }
        return state
    }

    public func document(_ format: Format) -> String {
        switch format {
        case .jsonld: linkedData
        case .kantara: kantara.canonical + "\n"
        }
    }

    /// Reads a receipt without checking its proof.
    ///
    /// - Returns: `nil` unless the bytes are what `document` writes for its own proof: a receipt that says something else than
    ///   its record is not a receipt.
    public init?(document: Data) {
        guard let object = try? JSONSerialization.jsonObject(with: document) as? [String: Any] else { return nil }
        let graph = object["@graph"] as? [[String: Any]]
        let members = graph?.last ?? object["voicegate"] as? [String: Any] ?? [:]
        let prefix = graph == nil ? "" : "vg:"
        guard let text = members[prefix + Self.proofMember] as? String,
            let keys = members[prefix + Self.keysMember] as? [String], let proof = OfflineProof(Data(text.utf8))
        else { return nil }
        self.init(proof, keys: keys)
        guard self.document(graph == nil ? .kantara : .jsonld).utf8.elementsEqual(document) else { return nil }
    }

    private var log: String { proof.checkpoint.origin }

    /// From the log and the index alone, so that each record has one.
    var identifier: String {
        var bytes = Array(SHA256.hash(data: "voicegate receipt\n\(log)\n\(record.index)\n".utf8).prefix(16))
        // RFC 9562, section 5.8: version 8.
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString.lowercased() }
    }

    private var proofText: JSONValue { .string(String(decoding: proof.data, as: UTF8.self)) }

    /// A record of `consent.jsonld`, in a receipt by DPV's guide to TS 27560.
    private var linkedData: String {
        let linked = LinkedRecord(record: record, log: log)
        let receipt = JSONValue.node(
            linked.name("receipt", String(record.index)), "dpv:ConsentReceipt",
            members: [
                "dct:identifier": .string(identifier),
                "dct:conformsTo": .string("https://w3id.org/dpv/schema/dpv-27560#receipt"),
                "dct:created": .time(record.time.text), "dpv:hasRecordOfActivity": linked.node,
                "vg:" + Self.proofMember: proofText, "vg:" + Self.keysMember: .texts(keys),
            ])
        var format = LinkedData(log: log)
        return format.begin() + format.line(receipt) + format.end(ExportVerification(report: nil))
    }
}

extension ConsentRecord {
    /// A denial in settings revokes a permission; one at a prompt answers a question.
    fileprivate var isInSettings: Bool { self[.indication] == Indication.settings.rawValue }
}

extension JSONValue {
    fileprivate static func texts(_ values: [String]) -> JSONValue { .array(values.map(JSONValue.string)) }
}

extension ConsentReceipt {
    /// What the record does not have, but the specification requires.
    private static let unknown = "not declared"

    private var kantara: JSONValue {
        let kinds = record.texts(.dataKinds) ?? []
        let recipients = record[.recipients] ?? []
        func text(_ field: Field<some RecordText>) -> JSONValue { .string(record.text(field) ?? Self.unknown) }
        let purpose: [String: JSONValue?] = [
            "purpose": text(.purpose), "purposeCategory": .texts(["1 - Core Function"]),
            "consentType": .string("EXPLICIT"), "piiCategory": .texts(kinds), "primaryPurpose": .boolean(true),
            "termination": .string(termination), "thirdPartyDisclosure": .boolean(!recipients.isEmpty),
            "thirdPartyName": recipients.isEmpty ? nil : .string(recipients.joined(separator: "; ")),
        ]
        let service: [String: JSONValue] = [
            "service": .string(record[.clientName] ?? record.text(.client) ?? Self.unknown),
            "purposes": .array([.object(purpose.compactMapValues { $0 })]),
        ]
        let extra: [String: JSONValue] = [
            "status": .string(state.rawValue), "record": .integer(Int64(clamping: record.index)),
            "resource": text(.resource), Self.proofMember: proofText, Self.keysMember: .texts(keys),
        ]
        return .object([
            "version": .string("KI-CR-v1.1.0"), "jurisdiction": text(.jurisdiction),
            "consentTimestamp": .integer(record.milliseconds / 1000),
            "collectionMethod": .string("VoiceGate: " + (record[.indication] ?? Self.unknown)),
            "consentReceiptID": .string(identifier), "publicKey": .string(keys.last ?? Self.unknown),
            "language": .string(record.text(.language) ?? "en"),
            "piiPrincipalId": .string(
                record[.subject] ?? record[.user].map(String.init) ?? Self.unknown),
            "piiControllers": .array([controller]), "policyUrl": .string(policy),
            "services": .array([.object(service)]), "sensitive": .boolean(false),
            "spiCat": .texts([]), "voicegate": .object(extra),
        ])
    }

    private var termination: String {
        let retention = record[.retention] ?? "nothing is kept"
        guard state == .given || state == .renewed else { return "withdrawn" }
        return record[.withdrawal].map { "until withdrawn (\($0)); \(retention)" } ?? retention
    }

    /// The notice that was shown is given as the policy.
    private var policy: String {
        LinkedRecord(record: record, log: log).name("notice", record[.noticeSHA256] ?? Self.unknown)
    }

    private var controller: JSONValue {
        let contact = record[.controller]?.contact ?? Self.unknown
        let address = record[.controller]?.address ?? Self.unknown
        return .object([
            "piiController": .string(record[.controller]?.name ?? record[.clientName] ?? Self.unknown),
            "onBehalf": .boolean(false), "contact": .string(contact),
            "address": .object(["streetAddress": .string(address)]),
            "email": .string(contact.contains("@") ? contact : Self.unknown), "phone": .string(Self.unknown),
        ])
    }
}
