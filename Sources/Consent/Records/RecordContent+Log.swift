import Foundation

/// What the log writes about itself.
extension RecordContent {
    /// - Parameter identifier: 16 random bytes, by which two logs are told apart.
    static func genesis(identifier: Data) -> RecordContent {
        RecordContent(
            kind: .genesis,
            fields: ["log": .string(Hexadecimal.encode(identifier)), "hash": .string("SHA-256")])
    }

    static func clockJumped(_ jump: ClockJump) -> RecordContent {
        RecordContent(
            kind: .clockJump,
            fields: [
                "from": .string(jump.from.text), "to": .string(jump.to.text),
                "milliseconds": .integer(jump.milliseconds),
            ])
    }
}
