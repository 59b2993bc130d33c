import Yams

/// A mapping with known keys.
struct PolicyFields {
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

    func invalid(_ key: String, _ advice: String) -> PolicyFileError {
        let shown = values[key]?.scalar?.string.prefix(60) ?? ""
        return PolicyFileError(
            code: .invalidValue, line: values[key]?.mark?.line, message: "“\(shown)” is no \(key). \(advice)")
    }
}
