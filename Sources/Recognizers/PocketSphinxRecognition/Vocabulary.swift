/// The library's notation of words.
enum Vocabulary {
    /// The word without the mark of its pronunciation (`read(2)`), or `nil` for what is no word: `<s>`, `<sil>`, `[NOISE]`,
    /// `++COUGH++`.
    static func word(_ entry: some StringProtocol) -> String? {
        guard let first = entry.first, !"<[".contains(first), !entry.hasPrefix("++") else { return nil }
        guard entry.hasSuffix(")"), let open = entry.lastIndex(of: "("), open > entry.startIndex else {
            return String(entry)
        }
        let number = entry[entry.index(after: open)...].dropLast()
        guard !number.isEmpty, number.allSatisfy({ $0.isASCII && $0.isNumber }) else { return String(entry) }
        return String(entry[..<open])
    }

    static func text(of entries: [some StringProtocol]) -> String {
        entries.compactMap { word($0) }.joined(separator: " ")
    }
}
