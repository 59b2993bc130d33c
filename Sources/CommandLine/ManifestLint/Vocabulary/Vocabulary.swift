import Authorization

/// What the rules about texts look for in a language.
struct Vocabulary {
    /// Names of what is asked for, also of other things that descriptions are copied from.
    let names: [String]
    /// Words that only say that it is asked for.
    let requests: [String]
    /// What introduces a benefit.
    let purposes: [String]
    /// What happens to the audio, and where it is kept.
    let handling: [String]
    let background: [String]
    let emptyPromises: [String]
    let vagueRetentions: [String]
    /// Whether words stand apart. Otherwise they are looked for anywhere.
    let separatesWords: Bool
    /// Columns below which nothing can be explained.
    let shortest: Int

    let microphoneExample: String
    let speechExample: String
    let backgroundExample: String
    let purposeExample: String
    let retentionExample: String

    static func of(_ code: String?) -> Vocabulary? {
        switch code {
        case "en": english
        case "ja": japanese
        case "ko": korean
        default: nil
        }
    }

    func example(for resource: Resource?) -> String {
        switch resource {
        case .microphone: microphoneExample
        case .speechRecognition: speechExample
        case nil: purposeExample
        }
    }

    /// What is left of a text when the words that say nothing are taken out, without spaces and punctuation.
    func remainder(of text: String, without words: [String]) -> String {
        let text = text.lowercased()
        if separatesWords {
            let words = Set(words)
            return text.split { !$0.isLetter && !$0.isNumber && $0 != "’" && $0 != "'" }
                .filter { !words.contains(String($0)) }.joined()
        }
        // The longest first, or a part of it would leave the rest behind.
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
