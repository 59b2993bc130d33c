import Foundation

/// The part of JSON Schema (draft 2020-12) that the policy's schema uses. A keyword it does not know is an error, so that
/// nothing in the schema goes unchecked.
struct SchemaEvaluator {
    enum Failure: Error { case unknownKeyword(String), malformed }

    private let root: [String: Any]

    init(_ data: Data) throws {
        guard let root = try JSONSerialization.jsonObject(with: data) as? [String: Any] else { throw Failure.malformed }
        self.root = root
    }

    func accepts(_ value: Any) throws -> Bool { try accepts(value, root) }

    private func accepts(_ value: Any, _ schema: [String: Any]) throws -> Bool {
        try schema.allSatisfy { keyword, constraint in try accepts(value, keyword, constraint, schema) }
    }

    private func accepts(_ value: Any, _ keyword: String, _ constraint: Any, _ schema: [String: Any]) throws -> Bool {
        switch (keyword, constraint) {
        case ("$schema", _), ("$defs", _), ("title", _), ("description", _): return true
        case ("$ref", let path as String):
            let name = path.replacingOccurrences(of: "#/$defs/", with: "")
            guard let definition = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
                throw Failure.malformed
            }
            return try accepts(value, definition)
        case ("type", let name as String): return Self.isOf(name, value)
        case ("enum", let words as [String]): return (value as? String).map(words.contains) ?? false
        case ("anyOf", let schemas as [[String: Any]]): return try schemas.contains { try accepts(value, $0) }
        case ("pattern", let pattern as String):
            guard let text = value as? String else { return true }
            return text.range(of: pattern, options: .regularExpression) == text.startIndex..<text.endIndex
        case ("minLength", let bound as Int): return (value as? String).map { $0.count >= bound } ?? true
        case ("maxLength", let bound as Int): return (value as? String).map { $0.count <= bound } ?? true
        case ("minimum", let bound as Int): return (value as? Int).map { $0 >= bound } ?? true
        case ("maximum", let bound as Int): return (value as? Int).map { $0 <= bound } ?? true
        case ("minItems", let bound as Int): return (value as? [Any]).map { $0.count >= bound } ?? true
        case ("maxItems", let bound as Int): return (value as? [Any]).map { $0.count <= bound } ?? true
        case ("items", let items as [String: Any]):
            return try (value as? [Any])?.allSatisfy { try accepts($0, items) } ?? true
        case ("required", let names as [String]):
            return (value as? [String: Any]).map { object in names.allSatisfy { object[$0] != nil } } ?? true
        case ("properties", let properties as [String: [String: Any]]):
            guard let object = value as? [String: Any] else { return true }
            return try properties.allSatisfy { name, part in try object[name].map { try accepts($0, part) } ?? true }
        case ("additionalProperties", let allowed as Bool):
            guard !allowed, let object = value as? [String: Any] else { return true }
            let known = schema["properties"] as? [String: Any] ?? [:]
            return object.keys.allSatisfy { known[$0] != nil }
        default: throw Failure.unknownKeyword(keyword)
        }
    }

    private static func isOf(_ type: String, _ value: Any) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "integer": value is Int
        default: false
        }
    }
}
