import Foundation
import NIOCore
import SocketAPI

/// The API's description as it is served: openapi.json with this service's version, and with what all calls and all answers have
/// in common, which the file leaves out.
///
/// Each operation gets the errors that every request may get and the first word of its path as its tag, each error its body, and
/// NDJSON, which OpenAPI 3.1 cannot describe, is a string. The objects of answers are open and numbers have a format: some
/// generators take an object that does not say so for a closed one, and a number without a format for one of 32 bits. What the file
/// says only to `generate-swift` is left out.
package enum APIDescription {
    private static let whole = Result { try completed(Data(PackageResources.openapi_json)) }

    package static func bytes() throws -> ByteBuffer { ByteBuffer(bytes: try whole.get()) }

    static func completed(_ file: Data) throws -> Data {
        guard var document = try JSONSerialization.jsonObject(with: file) as? [String: Any],
            let paths = document["paths"] as? [String: [String: [String: Any]]],
            var components = document["components"] as? [String: [String: Any]], let schemas = components["schemas"],
            var information = document["info"] as? [String: Any]
        else { throw CocoaError(.fileReadCorruptFile) }
        information["version"] = ServiceVersion.current
        document["info"] = information
        let operations = paths.map { path, operations in (path, operations.mapValues { completed($0, at: path) }) }
        document["paths"] = described(Dictionary(uniqueKeysWithValues: operations))
        let requests = paths.values.flatMap(\.values).flatMap { [$0["requestBody"], $0["parameters"]] }
        var asked = try names(in: requests.compactMap(\.self))
        while case let more = try names(in: asked.compactMap { schemas[$0] }).union(asked), more != asked {
            asked = more
        }
        components["schemas"] = Dictionary(
            uniqueKeysWithValues: schemas.map { ($0, described($1, isAnswer: !asked.contains($0))) })
        for part in ["parameters", "headers"] {
            components[part] = components[part]?.mapValues { described($0) }
        }
        let reply = ["application/problem+json": ["schema": ["$ref": "#/components/schemas/ErrorReply"]]]
        components["responses"] = components["responses"]?.mapValues { filled($0, ["content": reply]) }
        document["components"] = components
        return try JSONSerialization.data(withJSONObject: document, options: [.sortedKeys, .withoutEscapingSlashes])
    }

    /// The errors are those of each request; of one with a body, that it cannot be read; of one that the user confirms, that
    /// too many of them are asked for.
    private static func completed(_ operation: [String: Any], at path: String) -> [String: Any] {
        var statuses = [403, 500, 503]
        if operation["requestBody"] != nil { statuses += [400, 408, 413, 422] }
        if (operation["x-caller"] as? [String])?.contains("confirmed") == true { statuses.append(429) }
        var answers = (operation["responses"] as? [String: Any] ?? [:]).mapValues {
            ($0 as? [String: Any])?["$ref"] == nil ? filled($0, ["description": "Done."]) : $0
        }
        for status in statuses where answers["\(status)"] == nil {
            answers["\(status)"] = ["$ref": "#/components/responses/\(status)"]
        }
        let tag = path.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        return (filled(operation, ["tags": [tag]]) as? [String: Any] ?? operation).merging(["responses": answers]) {
            $1
        }
    }

    /// An object with these fields, unless it has them.
    private static func filled(_ value: Any, _ fields: [String: Any]) -> Any {
        (value as? [String: Any])?.merging(fields) { old, _ in old } ?? value
    }

    private static func described(_ value: Any, isAnswer: Bool = false) -> Any {
        if let list = value as? [Any] { return list.map { described($0, isAnswer: isAnswer) } }
        guard var schema = (value as? [String: Any])?.mapValues({ described($0, isAnswer: isAnswer) }) else {
            return value
        }
        if schema["schema"] == nil,
            let line = (schema["x-line"] as? [String: String])?["$ref"]?.split(separator: "/").last
        {
            schema["schema"] = ["type": "string", "description": "Lines of `\(line)`."]
        }
        let types = schema["type"] as? [String] ?? [schema["type"] as? String].compactMap(\.self)
        if isAnswer, types == ["object"], schema["properties"] is [String: Any] {
            schema["additionalProperties"] = true
        }
        for hint in ["x-swift", "x-description"] { schema[hint] = nil }
        if types.contains("integer") { schema["format"] = "int64" }
        if types.contains("number") { schema["format"] = "double" }
        return schema
    }

    private static func names(in values: [Any]) throws -> Set<String> {
        let text = try JSONSerialization.data(withJSONObject: values, options: .withoutEscapingSlashes)
        return Set(String(decoding: text, as: UTF8.self).matches(of: /schemas\/(\w+)"/).map { String($0.1) })
    }
}
