import Authorization
import Consent
import Foundation

/// `consent.jsonld`: a JSON-LD 1.1 document with DPV 2.3 terms. It has a node, on one line, for each record that DPV has terms
/// for; the others are only in `records.jsonl`.
struct LinkedData: RecordFormat {
    /// The log's origin, part of the names of the nodes.
    let log: String
    private(set) var isFirst = true

    mutating func begin() -> String {
        "{\"@context\":\(Vocabulary.context.canonical),\"@graph\":[\n"
            + Vocabulary.definitions.map { line($0) }.joined()
    }

    mutating func add(_ record: ConsentRecord) -> String {
        guard let node = LinkedRecord(record: record, log: log).node else { return "" }
        return line(node)
    }

    mutating func end(_ verification: ExportVerification) -> String { "]}\n" }

    mutating func line(_ node: JSONValue) -> String {
        defer { isFirst = false }
        return (isFirst ? "" : ",") + node.canonical + "\n"
    }
}

/// DPV terms for the data of records.
enum LinkedTerms {
    static func personalData(_ kinds: [String]) -> JSONValue {
        .array(kinds.filter { DataKind(rawValue: $0) != nil }.map { JSONValue.reference("vg:" + $0) })
    }

    static func processing(_ kinds: [String]) -> JSONValue {
        var terms = ["dpv:Collect"]
        if kinds.contains(DataKind.recording.rawValue) { terms.append("dpv:Record") }
        if kinds.contains(DataKind.transcript.rawValue) || kinds.contains(DataKind.microphoneProfile.rawValue) {
            terms.append("dpv:Derive")
        }
        return .array(terms.map(JSONValue.reference))
    }

    static func recipients(_ names: [String]) -> JSONValue {
        .array(names.map { .node(nil, "dpv:ThirdParty", members: ["dpv:hasName": .string($0)]) })
    }

    /// ISO 8601, section 5.5.2.
    static func duration(_ milliseconds: Int64) -> JSONValue {
        let seconds = "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
        let extent = ["@type": JSONValue.string("xsd:duration"), "@value": .string("PT\(seconds)S")]
        return .node(nil, "dpv:TemporalDuration", members: ["dct:extent": .object(extent)])
    }

    /// The storage condition of a notice.
    ///
    /// - Parameter retention: in the client's words; `nil`: nothing is kept.
    static func storage(_ retention: String?, _ language: String?) -> [JSONValue] {
        guard let retention else { return [.node(nil, "dpv:StorageDeletion")] }
        return [
            .node(nil, "dpv:StorageDuration", members: ["dct:description": .words(retention, language)]), location,
        ]
    }

    /// - Parameter until: a time in RFC 3339, or the name of an event.
    static func storage(until: String?) -> [JSONValue] {
        guard let until else { return [location] }
        let (kind, member): (String, [String: JSONValue?]) =
            Timestamp(until) == nil
            ? ("dpv:UntilEventDuration", ["dct:description": .string(until)])
            : ("dpv:TemporalDuration", ["dct:valid": .time(until)])
        return [.node(nil, "dpv:StorageDuration", kind, members: member), location]
    }

    private static var location: JSONValue { .node(nil, "dpv:StorageLocation", "tech:LocalStorage") }
}

/// Text from records as a part of an IRI.
enum IRI {
    /// Percent-encodes all but the unreserved characters of RFC 3986, section 2.3.
    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
}

/// The terms of `consent.jsonld`: W3C's Data Privacy Vocabulary 2.3 (https://w3id.org/dpv), Dublin Core, SKOS, and four own
/// kinds of data, because DPV has none for raw audio and transcripts.
enum Vocabulary {
    /// Inline, because DPV publishes no context.
    static let context = JSONValue.object([
        "dpv": .string("https://w3id.org/dpv#"),
        "pd": .string("https://w3id.org/dpv/pd#"),
        "tech": .string("https://w3id.org/dpv/tech#"),
        "ai": .string("https://w3id.org/dpv/ai#"),
        "eu-gdpr": .string("https://w3id.org/dpv/legal/eu/gdpr#"),
        "dct": .string("http://purl.org/dc/terms/"),
        "skos": .string("http://www.w3.org/2004/02/skos/core#"),
        "xsd": .string("http://www.w3.org/2001/XMLSchema#"),
        "vg": .string("urn:voicegate:term:"),
    ])

    /// Definitions of our own terms.
    static let definitions: [JSONValue] = DataKind.allCases.map { kind in
        .node(
            "vg:" + kind.rawValue, "dpv:PersonalData",
            members: [
                "skos:prefLabel": .words(kind.phrase, "en"),
                "skos:broader": .reference(
                    kind == .microphoneProfile ? "pd:DeviceBased" : "pd:VoiceCommunicationRecording"),
            ])
    }
}

/// JSON-LD's objects.
extension JSONValue {
    /// - Parameter members: those without a value are left out.
    static func node(_ identifier: String?, _ types: String..., members: [String: JSONValue?] = [:]) -> JSONValue {
        var members = members.compactMapValues { $0 }
        if let identifier { members["@id"] = .string(identifier) }
        if !types.isEmpty {
            members["@type"] = types.count == 1 ? .string(types[0]) : .array(types.map(JSONValue.string))
        }
        return .object(members)
    }

    static func reference(_ identifier: String) -> JSONValue { .node(identifier) }

    static func time(_ text: String) -> JSONValue {
        .object(["@type": .string("xsd:dateTime"), "@value": .string(text)])
    }

    /// A text with its language, if known.
    static func words(_ text: String, _ language: String?) -> JSONValue {
        guard let language, Language(rawValue: language) != nil else { return .string(text) }
        return .object(["@language": .string(language), "@value": .string(text)])
    }
}
