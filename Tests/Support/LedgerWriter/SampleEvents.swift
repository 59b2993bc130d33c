import Authorization
import Foundation

/// What is written again and again.
enum SampleEvents {
    static func client(_ name: String) -> ClientIdentifier {
        guard let client = ClientIdentifier(rawValue: "org.example.\(name)") else { exit(70) }
        return client
    }

    /// - Parameter mark: what it is found again by.
    static func event(_ mark: String, of name: String = "writer") -> LedgerEvent {
        .recognizerFailed(session: mark, client: client(name), reason: String(repeating: "r", count: 300))
    }

    /// Stores and removes in turn, so that a torn transaction leaves decisions that the records do not explain.
    static func change(_ turn: Int, of name: String = "client") -> DecisionChange? {
        let key = DecisionKey(user: 1000, client: client("\(name)\(turn / 3 % 5)"), resource: .microphone)
        return switch turn % 3 {
        case 0:
            .store(
                Decision(
                    key: key, verdict: turn.isMultiple(of: 2) ? .authorized : .denied, program: nil, terms: nil,
                    indication: .settings, decidedAt: Date()))
        case 1: nil
        default: .remove(key)
        }
    }
}
