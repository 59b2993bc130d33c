/// The dictionary of a manifest, read key by key with the key named in each error.
struct ManifestEntries {
    let dictionary: [String: Any]
    let path: String?

    func requiredString(_ key: String) throws(ManifestError) -> String {
        guard let text = try string(key) else {
            throw ManifestError(
                code: .missingKey, key: key, path: path, message: "The manifest lacks \(key). Add it as a string.")
        }
        return text
    }

    /// - Returns: `nil` when the key is missing or its text is blank.
    func string(_ key: String) throws(ManifestError) -> String? {
        guard let value = dictionary[key] else { return nil }
        guard let text = value as? String else { throw wrongType(key, "a string") }
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    func strings(_ key: String) throws(ManifestError) -> [String]? {
        guard let value = dictionary[key] else { return nil }
        guard let array = value as? [Any] else { throw wrongType(key, "an array of strings") }
        var texts: [String] = []
        for element in array {
            guard let text = element as? String else { throw wrongType(key, "an array of strings") }
            texts.append(text)
        }
        return texts
    }

    func boolean(_ key: String) throws(ManifestError) -> Bool? {
        guard let value = dictionary[key] else { return nil }
        guard let flag = value as? Bool else { throw wrongType(key, "true or false") }
        return flag
    }

    func dictionaryOfStrings(_ key: String) throws(ManifestError) -> [String: String]? {
        guard let value = dictionary[key] else { return nil }
        guard let texts = value as? [String: String] else { throw wrongType(key, "a dictionary of strings") }
        return texts
    }

    func invalid(_ key: String, _ rule: String) -> ManifestError {
        ManifestError(code: .invalidValue, key: key, path: path, message: "The manifest's \(key) \(rule).")
    }

    private func wrongType(_ key: String, _ type: String) -> ManifestError {
        ManifestError(
            code: .wrongType, key: key, path: path,
            message: "The manifest's \(key) has the wrong type. Make it \(type).")
    }
}
