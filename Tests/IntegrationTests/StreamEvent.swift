import Foundation

/// A line of a dictation's stream.
struct StreamEvent {
    let type: String
    let fields: [String: Any]

    init?(_ line: String) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let type = object["type"] as? String
        else { return nil }
        self.type = type
        fields = object
    }

    var text: String? { fields["text"] as? String }
    var reason: String? { fields["reason"] as? String }

    static func isOf(_ type: String) -> @Sendable (String) -> Bool {
        { StreamEvent($0)?.type == type }
    }
}
