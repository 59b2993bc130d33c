import Authorization
import Crypto
import Foundation

/// What the person read, and what it comes to.
extension RecordContent {
    /// Lower-case hexadecimal.
    static func sha256(of text: String) -> String { Hexadecimal.encode(SHA256.hash(data: Data(text.utf8))) }

    /// The notice word for word, and the four data items.
    static func shown(_ notice: Notice) -> Fields {
        [
            "notice": .string(notice.text),
            "noticeSHA256": .string(sha256(of: notice.text)),
            "language": .string(notice.language.rawValue),
            "dataKinds": .texts(notice.practices.kinds.map(\.rawValue)),
            "purpose": .string(notice.practices.purpose),
            "retention": JSONValue(notice.practices.retention),
            "recipients": notice.practices.recipients.map { .texts($0) } ?? .null,
            "keptByService": notice.practices.kept.json,
        ]
    }

    /// On what ground, what is done with which data, who answers for it, and how it is taken back.
    static func basis(_ key: DecisionKey, name: String, _ notice: Notice, _ context: RecordContext) -> Fields {
        let practices = notice.practices
        let controller = context.controller ?? Controller(name: name, address: nil, contact: nil)
        return [
            "legalBasis": .string("ExplicitlyExpressedConsent"),
            "processing": .texts(processing(key.resource, practices)),
            "captured": .texts(practices.kinds.map(\.rawValue)),
            "retained": .texts(retained(practices).map(\.rawValue)),
            "transmitted": transmitted(practices),
            "storageLocation": .string("this computer"),
            "controller": controller.json,
            "jurisdiction": JSONValue(context.jurisdiction),
            "withdrawal": .string("voicegate reset \(key.resource.rawValue) --client \(key.client)"),
        ]
    }

    /// What is done: collecting, deriving text from sound, and recording where the client declares that it keeps any.
    private static func processing(_ resource: Resource, _ practices: DataPractices) -> [String] {
        let use =
            switch resource {
            case .microphone: "collect"
            case .speechRecognition: "derive"
            }
        return retained(practices).isEmpty ? [use] : [use, "record"]
    }

    /// Live audio is gone when it was heard; whatever else there is of it is kept where the client says so.
    private static func retained(_ practices: DataPractices) -> [DataKind] {
        practices.retention == nil ? [] : practices.kinds.filter { $0 != .liveAudio }
    }

    /// `null`: the client does not say whether it hands on anything.
    private static func transmitted(_ practices: DataPractices) -> JSONValue {
        guard let recipients = practices.recipients else { return .null }
        return .texts(recipients.isEmpty ? [] : practices.kinds.map(\.rawValue))
    }
}
