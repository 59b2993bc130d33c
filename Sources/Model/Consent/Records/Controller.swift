/// Who answers for what is done with the data (GDPR, article 4(7)).
public struct Controller: Sendable, Hashable {
    public let name: String
    public let address: String?
    public let contact: String?

    public init(name: String, address: String?, contact: String?) {
        self.name = name
        self.address = address
        self.contact = contact
    }

    var json: JSONValue {
        .object(["name": .string(name), "address": JSONValue(address), "contact": JSONValue(contact)])
    }
}
