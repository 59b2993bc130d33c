import Foundation

/// What a placeholder of a text stands for: a name, or a number.
public typealias TextValue = any CustomStringConvertible

/// The texts of one language: `en.strings`, `ja.strings` or `ko.strings`, whose format is in `generate-texts`. The generated
/// functions look texts up, so a key or a placeholder that the tables have not does not compile.
public struct StringTable: Sendable {
    public static let english = StringTable(PackageResources.en_strings)
    public static let japanese = StringTable(PackageResources.ja_strings)
    public static let korean = StringTable(PackageResources.ko_strings)

    private let texts: [String: String]

    init(_ bytes: [UInt8]) {
        let table = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        texts = table as? [String: String] ?? [:]
    }

    /// A member of a family of texts, by a code that may be unknown.
    public func member(_ key: String) -> String? { texts[key] }

    /// - Parameter values: by placeholder; if `count` is 1, the text of `KEY#one` is used if there is one.
    public func text(_ key: String, _ values: [String: TextValue] = [:]) -> String {
        let one = values["count"].map { "\($0)" } == "1" ? texts[key + "#one"] : nil
        // A placeholder ends at the first brace after it.
        let parts = (one ?? texts[key] ?? key).split(separator: "{", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
            let pieces = part.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
            text += values[String(pieces[0])].map { "\($0)" } ?? ""
            text += pieces.dropFirst().joined()
        }
    }
}
