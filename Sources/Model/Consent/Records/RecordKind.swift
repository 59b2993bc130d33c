/// What a record is about. A log that a later version wrote may have other kinds; they are kept as they are.
///
/// Documentation/consent-record.schema.json describes each, with its fields; `write-records` makes the constants from it.
public struct RecordKind: RawRepresentable, ExpressibleByStringLiteral, Sendable, Hashable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(stringLiteral word: String) { rawValue = word }
}

extension RecordKind {
    /// Whose fields stay, whatever is erased: the log itself depends on them.
    public static let neverErased: Set<RecordKind> = [
        .genesis, .keyRotated, .checkpointPublished, .recovery, .dataErased,
        .requestReceived, .requestAnswered, .exportMade,
    ]
}
