import Authorization
import Foundation

/// The words and phrases of one language that the text rules search for, from vocabulary.json.
struct Vocabulary: Decodable {
    /// Names of resources, including those of other resources that descriptions are copied from.
    let names: [String]
    /// Words that only express a request.
    let requests: [String]
    /// Words that introduce a benefit.
    let purposes: [String]
    /// Words about the use and the storage of audio.
    let handling: [String]
    let background: [String]
    /// Words for resources that are neither the microphone nor speech recognition.
    let otherResources: [String]
    /// Words about sound and speech.
    let voice: [String]
    let emptyPromises: [String]
    let vagueRetentions: [String]
    /// Whether words are separated by spaces. Otherwise phrases are searched for at any position.
    let separatesWords: Bool
    /// The minimum length of a text in columns.
    static let shortest = 20

    let microphoneExample: String
    let speechExample: String
    let backgroundExample: String
    let purposeExample: String
    let retentionExample: String

    private struct Table: Decodable { let en, ja, ko: Vocabulary }

    private static let table: Table = {
        do {
            return try JSONDecoder().decode(Table.self, from: Data(PackageResources.vocabulary_json))
        } catch {
            preconditionFailure("vocabulary.json: \(error)")
        }
    }()

    static let english = table.en
    /// By the languages' codes.
    static let all = ["en": english, "ja": table.ja, "ko": table.ko]

    static func of(_ code: String?) -> Vocabulary? { code.flatMap { all[$0] } }

    func example(for resource: Resource?) -> String {
        switch resource {
        case .microphone: microphoneExample
        case .speechRecognition: speechExample
        case nil: purposeExample
        }
    }

    /// The letters and digits of a text after the given words are removed.
    func remainder(of text: String, without words: [String]) -> String {
        let text = text.lowercased()
        if separatesWords {
            let words = Set(words)
            return text.split { !$0.isLetter && !$0.isNumber && $0 != "’" && $0 != "'" }
                .filter { !words.contains(String($0)) }.joined()
        }
        // The longest first, because a shorter one may be a part of it.
        let rest = words.sorted { $0.count > $1.count }.reduce(text) { $0.replacing($1, with: " ") }
        return rest.filter { $0.isLetter || $0.isNumber }
    }

    func contains(_ phrases: [String], in text: String) -> Bool {
        let text = text.lowercased()
        guard separatesWords else { return phrases.contains { text.contains($0) } }
        let padded = " " + text.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ") + " "
        return phrases.contains { padded.contains(" \($0) ") }
    }
}
