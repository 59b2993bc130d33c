import Yams

/// A mapping with known keys.
struct PolicyFields {
    /// Words for what no policy can do.
    private static let granting: Set<String> = [
        "allow", "allows", "allowed", "grant", "grants", "permit", "except", "unless", "authorize", "authorized",
    ]

    private var values: [String: Node] = [:]

    /// - Parameter name: how an error names the mapping.
    init(_ node: Node, of name: String, allowed: Set<String>) throws(PolicyFileError) {
        let known = allowed.sorted().joined(separator: ", ")
        guard let mapping = node.mapping else {
            throw PolicyFileError(
                code: .wrongType, line: node.mark?.line, message: "This is not \(name). Write a mapping with \(known).")
        }
        for (key, value) in mapping {
            guard let word = key.scalar?.string, allowed.contains(word) else {
                if let word = key.scalar?.string, Self.granting.contains(word.lowercased()) {
                    throw PolicyFileError(
                        code: .grants, line: key.mark?.line,
                        message: "“\(word)” would allow something, and a policy can only deny. What a program may do, "
                            + "the person decides. Take it out.")
                }
                let shown = key.scalar.map { "“\($0.string.prefix(40))”" } ?? "a key that is no word"
                throw PolicyFileError(
                    code: .unknownKey, line: key.mark?.line, message: "\(shown) is no key of \(name). Known: \(known).")
            }
            values[word] = value
        }
    }

    subscript(key: String) -> Node? { values[key] }

    /// - Returns: `nil` when the key is missing.
    func text(_ key: String) throws(PolicyFileError) -> String? {
        guard let node = values[key] else { return nil }
        guard let text = node.scalar?.string, !text.isEmpty else {
            throw PolicyFileError(
                code: .wrongType, line: node.mark?.line,
                message: "“\(key)” is not a word or text. Write one, or leave it out.")
        }
        return text
    }

    /// A word, or a list of them that is not empty.
    ///
    /// - Returns: `nil` when the key is missing.
    func words(_ key: String, limit: Int) throws(PolicyFileError) -> [String]? {
        guard let node = values[key] else { return nil }
        let words = node.sequence.map { $0.map { $0.scalar?.string ?? "" } } ?? [node.scalar?.string ?? ""]
        guard !words.isEmpty, words.allSatisfy({ !$0.isEmpty }) else {
            throw PolicyFileError(
                code: .wrongType, line: node.mark?.line,
                message: "“\(key)” is neither a word nor a list of words. Write one, or leave it out.")
        }
        guard words.count <= limit else {
            throw PolicyFileError(
                code: .tooComplex, line: node.mark?.line, message: "“\(key)” has more than \(limit) entries.")
        }
        return words
    }

    func invalid(_ key: String, _ advice: String) -> PolicyFileError {
        let node = values[key]
        let words = node?.sequence.map { $0.compactMap(\.scalar?.string).joined(separator: ", ") }
        let shown = (words ?? node?.scalar?.string ?? "").prefix(60)
        return PolicyFileError(
            code: .invalidValue, line: node?.mark?.line, message: "“\(shown)” is no value of “\(key)”. \(advice)")
    }
}
