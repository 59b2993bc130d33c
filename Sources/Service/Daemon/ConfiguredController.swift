import Authorization
import Consent

/// `controller:` in `config.yaml`.
struct ConfiguredController: Decodable {
    let name: String
    var address: String?
    var contact: String?

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let known = ["name", "address", "contact"]
        if let unknown = container.allKeys.first(where: { !known.contains($0.stringValue) }) {
            throw DecodingError.dataCorruptedError(
                forKey: unknown, in: container, debugDescription: "no key of a controller")
        }
        name = try container.decode(String.self, forKey: Key(stringValue: "name"))
        address = try container.decodeIfPresent(String.self, forKey: Key(stringValue: "address"))
        contact = try container.decodeIfPresent(String.self, forKey: Key(stringValue: "contact"))
    }

    private static let longest = 200

    /// What cannot be used about it, or `nil`.
    var problem: String? {
        let texts = [name] + [address, contact].compactMap { $0 }
        return texts.allSatisfy { (1...Self.longest).contains($0.count) && DisplayText.cleaned($0, limit: 200) == $0 }
            ? nil : "controller has a name, and may have an address and a contact, each one line of 1 to 200 characters"
    }

    var value: Controller { Controller(name: name, address: address, contact: contact) }
}
