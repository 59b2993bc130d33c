/// What an export can be.
public enum ExportFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// A folder with everything, the proofs, and what is needed to check them.
    case bundle
    /// The records, one a line.
    case jsonl
    /// Accesses and decisions as a table.
    case csv
    /// W3C Data Privacy Vocabulary.
    case jsonld
    /// One page to read and print.
    case html
    /// Accesses to the microphone in the shape of Apple's App Privacy Report.
    case apple
}
