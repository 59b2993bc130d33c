import Foundation

/// A line of a dictation's stream.
public struct StreamEvent {
    public let type: String
    public let fields: [String: Any]

    public init?(_ line: String) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let type = object["type"] as? String
        else { return nil }
        self.type = type
        fields = object
    }

    public var text: String? { fields["text"] as? String }
    public var reason: String? { fields["reason"] as? String }

    public static func isOf(_ type: String) -> @Sendable (String) -> Bool {
        { StreamEvent($0)?.type == type }
    }
}
