import Authorization
import Consent

/// The words of `consent.jsonld`: W3C's Data Privacy Vocabulary 2.3 (https://w3id.org/dpv), Dublin Core terms, SKOS, and
/// four kinds of data of our own below DPV's, which has none for raw audio and transcripts.
enum Vocabulary {
    /// Carried inline, because DPV publishes no context.
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

    /// What our own terms mean.
    static let definitions: [JSONValue] = DataKind.allCases.map { kind in
        node(
            "vg:" + kind.rawValue, "dpv:PersonalData",
            [
                "skos:prefLabel": .object(["@language": .string("en"), "@value": .string(kind.phrase)]),
                "skos:broader": reference(kind == .voiceProfile ? "pd:Biometric" : "pd:VoiceCommunicationRecording"),
            ])
    }

    static func node(_ identifier: String?, _ types: String..., members: [String: JSONValue] = [:]) -> JSONValue {
        var members = members
        if let identifier { members["@id"] = .string(identifier) }
        members["@type"] = types.count == 1 ? .string(types[0]) : .array(types.map(JSONValue.string))
        return .object(members)
    }

    static func node(_ identifier: String, _ type: String, _ members: [String: JSONValue]) -> JSONValue {
        node(identifier, type, members: members)
    }

    static func reference(_ identifier: String) -> JSONValue { .object(["@id": .string(identifier)]) }

    static func time(_ text: String) -> JSONValue {
        .object(["@type": .string("xsd:dateTime"), "@value": .string(text)])
    }

    /// Words of a person's language, where it is known.
    static func words(_ text: String, _ language: String?) -> JSONValue {
        guard let language, Language(rawValue: language) != nil else { return .string(text) }
        return .object(["@language": .string(language), "@value": .string(text)])
    }
}
