import Authorization
import Consent

/// What records say about data, in DPV's words.
enum LinkedTerms {
    static func personalData(_ kinds: [String]) -> JSONValue {
        .array(kinds.filter { DataKind(rawValue: $0) != nil }.map { Vocabulary.reference("vg:" + $0) })
    }

    static func processing(_ kinds: [String]) -> JSONValue {
        var terms = ["dpv:Collect"]
        if kinds.contains(DataKind.recording.rawValue) { terms.append("dpv:Record") }
        if kinds.contains(DataKind.transcript.rawValue) || kinds.contains(DataKind.voiceProfile.rawValue) {
            terms.append("dpv:Derive")
        }
        return .array(terms.map(Vocabulary.reference))
    }

    static func recipients(_ names: [String]) -> JSONValue {
        .array(names.map { Vocabulary.node(nil, "dpv:ThirdParty", members: ["dpv:hasName": .string($0)]) })
    }

    /// What a notice says about keeping.
    ///
    /// - Parameter retention: in the client's words; `nil`: nothing is kept.
    static func storage(_ retention: String?, _ language: String?) -> [JSONValue] {
        guard let retention else { return [Vocabulary.node(nil, "dpv:StorageDeletion")] }
        let duration = Vocabulary.node(
            nil, "dpv:StorageDuration", members: ["dct:description": Vocabulary.words(retention, language)])
        return [duration, location]
    }

    /// - Parameter until: a time in RFC 3339, or the word for an event.
    static func storage(until: String?) -> [JSONValue] {
        guard let until else { return [location] }
        guard Timestamp(until) != nil else {
            let event = Vocabulary.node(
                nil, "dpv:StorageDuration", "dpv:UntilEventDuration", members: ["dct:description": .string(until)])
            return [event, location]
        }
        let duration = Vocabulary.node(
            nil, "dpv:StorageDuration", "dpv:TemporalDuration", members: ["dct:valid": Vocabulary.time(until)])
        return [duration, location]
    }

    private static var location: JSONValue { Vocabulary.node(nil, "dpv:StorageLocation", "tech:LocalStorage") }
}
