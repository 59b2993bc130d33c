/// A header's value with parameters: `form-data; name="file"` (RFC 9110, section 5.6.6).
struct MediaType: Equatable {
    /// In small letters.
    let value: String
    /// By their names in small letters.
    let parameters: [String: String]

    /// `nil` for what is none, or has a parameter twice.
    init?(_ text: String) {
        var rest = Substring(text)
        guard let value = Self.word(&rest, until: ";") else { return nil }
        self.value = value.lowercased()
        var parameters: [String: String] = [:]
        while rest.popFirst() == ";" {
            guard let name = Self.word(&rest, until: "=;") else {
                // Nothing between two semicolons, or behind the last one.
                if rest.first == "=" { return nil }
                continue
            }
            guard rest.popFirst() == "=", let value = Self.parameter(&rest),
                parameters.updateValue(value, forKey: name.lowercased()) == nil
            else { return nil }
        }
        guard rest.isEmpty else { return nil }
        self.parameters = parameters
    }

    /// The boundary of a form, where it is one that may be (RFC 2046, section 5.1.1).
    var boundary: String? {
        guard let boundary = parameters["boundary"], (1...MultipartBounds.boundary).contains(boundary.utf8.count),
            boundary.last != " ", boundary.allSatisfy({ Self.boundaryCharacters.contains($0) })
        else { return nil }
        return boundary
    }

    private static let boundaryCharacters = Set(
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'()+_,-./:=? ")

    private static func word(_ rest: inout Substring, until ends: String) -> String? {
        let word = rest.prefix { !ends.contains($0) }
        rest = rest[word.endIndex...]
        let trimmed = trimmed(word)
        return trimmed.isEmpty ? nil : trimmed
    }

    private static func parameter(_ rest: inout Substring) -> String? {
        rest = rest.drop { $0 == " " || $0 == "\t" }
        guard rest.first == "\"" else { return word(&rest, until: ";") }
        rest.removeFirst()
        var value = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"":
                rest = rest.drop { $0 == " " || $0 == "\t" }
                return rest.first == nil || rest.first == ";" ? value : nil
            case "\\":
                // Browsers send a file's name from Windows without doubling its strokes; only these two are escaped.
                if rest.first == "\"" || rest.first == "\\" { value.append(rest.removeFirst()) } else { value += "\\" }
            default:
                value.append(character)
            }
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let start = text.drop(while: isBlank)
        return String(start.reversed().drop(while: isBlank).reversed())
    }
}
