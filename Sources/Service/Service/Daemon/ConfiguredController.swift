import Authorization
import Consent

/// `controller:` in `config.yaml`.
struct ConfiguredController: Decodable {
    let name: String
    var address: String?
    var contact: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.mapping(of: ["name", "address", "contact"])
        name = try container.decode(String.self, forKey: "name")
        address = try container.decodeIfPresent(String.self, forKey: "address")
        contact = try container.decodeIfPresent(String.self, forKey: "contact")
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
