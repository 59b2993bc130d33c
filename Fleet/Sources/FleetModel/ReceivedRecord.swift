import Consent
import Cryptography
import Foundation

/// A record as a host sends it, of which everything is checked that it shows by itself: the leaf's form and index, and the
/// disclosure against the leaf's digest. That it is the log's is for the package's proof.
public struct ReceivedRecord: Sendable {
    public enum Problem: Error, Sendable, Hashable {
        /// The entry is not a leaf of a record, of this index.
        case leaf(UInt64)
        /// The text is not a disclosure, or not this record's.
        case disclosure(UInt64)
    }

    /// UTF-8 bytes of a kind.
    public static let maximumKind = 64

    public let leaf: RecordLeaf
    /// SHA-256 of the disclosure.
    public let digest: Data
    /// `nil`: withheld or erased.
    public let disclosed: Disclosed?
    /// `nil` for most records.
    public let effect: RecordEffect?

    /// A disclosure as its row has it. Its values are not kept: they take many times the memory of their text, and a package has
    /// 256 disclosures.
    public struct Disclosed: Sendable {
        public let salt: Data
        /// JSON that PostgreSQL can store: its jsonb has no U+0000.
        public let fields: Data
        /// The disclosure's text, only if it cannot be rebuilt from the fields.
        public let verbatim: Data?
    }

    public init(leaf data: Data, disclosure text: Data?, at index: UInt64) throws(Problem) {
        guard let leaf = RecordLeaf(data: data), let digest = leaf.digestBytes, UInt64(exactly: leaf.index) == index,
            leaf.kind.rawValue.utf8.count <= Self.maximumKind,
            leaf.kind.rawValue.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { throw .leaf(index) }
        self.leaf = leaf
        self.digest = digest
        guard let text else {
            disclosed = nil
            effect = RecordEffect(leaf, nil)
            return
        }
        guard Data(SHA256.hash(data: text)) == digest, let disclosure = Disclosure(text: text) else {
            throw .disclosure(index)
        }
        disclosed = Disclosed(disclosure)
        effect = RecordEffect(leaf, disclosure)
    }

    public var index: UInt64 { UInt64(clamping: leaf.index) }
}

extension ReceivedRecord.Disclosed {
    /// The disclosure cannot be rebuilt from the fields if two of its keys are the same text for Swift, which compares by
    /// canonical equivalence, or if they have U+0000, which is U+FFFD in them.
    init(_ disclosure: Disclosure) {
        salt = disclosure.salt
        // ["<22 characters>",{…}]
        let json = disclosure.text.dropFirst(26).dropLast()
        let (isASCII, hasEscape) = json.withUnsafeBytes { bytes in
            (!bytes.contains { $0 >= 0x80 }, bytes.contains(UInt8(ascii: "\\")))
        }
        if hasEscape, json.range(of: Self.escapedNull) != nil {
            fields = Data(Self.replacingNull(.object(disclosure.fields)).canonical.utf8)
            verbatim = disclosure.text
        } else {
            fields = json
            // Texts of ASCII are equivalent to no others.
            let isExact =
                isASCII || !hasEscape && !Self.hasForeignKey(json)
                || JSONValue.object(disclosure.fields).canonical.utf8.elementsEqual(json)
            verbatim = isExact ? nil : disclosure.text
        }
    }

    /// Whether a key is not ASCII, in canonical JSON without escapes: there a key's quote alone is before a colon.
    private static func hasForeignKey(_ json: Data) -> Bool {
        json.withUnsafeBytes { bytes in
            var isForeign = false
            for (place, byte) in bytes.enumerated() {
                if byte >= 0x80 { isForeign = true }
                guard byte == UInt8(ascii: "\"") else { continue }
                if isForeign, place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: ":") { return true }
                isForeign = false
            }
            return false
        }
    }

    private static let escapedNull = Data(#"\u0000"#.utf8)

    private static func replacingNull(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(text.withoutNull)
        case .array(let values): .array(values.map(replacingNull))
        case .object(let members):
            .object(
                Dictionary(
                    members.map { ($0.key.withoutNull, replacingNull($0.value)) },
                    uniquingKeysWith: { first, _ in first }))
        case .null, .boolean, .integer: value
        }
    }
}

extension String {
    /// Text that PostgreSQL can store: U+0000 is U+FFFD.
    fileprivate var withoutNull: String { utf8.contains(0) ? replacing("\0", with: "\u{FFFD}") : self }
}

/// Whose grant for what, as PostgreSQL stores it.
public struct GrantKey: Sendable, Hashable {
    /// `nil`: a record that names none.
    public let client: String?
    public let user: Int64?
    public let resource: String

    public init(client: String?, user: Int64?, resource: String) {
        self.client = client?.withoutNull
        self.user = user
        self.resource = resource.withoutNull
    }
}

/// What a record changes besides its row.
public enum RecordEffect: Sendable, Hashable {
    /// The fields of these records are deleted; all are earlier ones.
    case erases([ClosedRange<Int>])
    /// A key signs the host's checkpoints from now on.
    case namesKey(NoteVerifier, previous: String?, isRotation: Bool)
    /// A grant is in force; `nil`: its fields are not known.
    case grants(GrantKey?)
    /// A grant is no longer in force.
    case ends(GrantKey)
    /// A session began that names the record of a grant for each resource; `nil`: it names none.
    case session([GrantKey: UInt64?])
}

extension RecordEffect {
    /// Of a session. No service has as many: a session that names more has no grant for them.
    private static let mostResources = 16

    /// - Parameter disclosure: `nil`: withheld or erased.
    init?(_ leaf: RecordLeaf, _ disclosure: Disclosure?) {
        if [.granted, .renewed].contains(leaf.kind) {
            self = .grants(disclosure.flatMap { Self.key($0.fields["resource"]?.string, $0) })
            return
        }
        guard let disclosure else { return nil }
        let fields = disclosure.fields
        switch leaf.kind {
        case .denied, .withdrawn, .expired:
            guard let key = Self.key(fields["resource"]?.string, disclosure) else { return nil }
            self = .ends(key)
        case .dataErased:
            let ranges = (try? ConsentRecord(leaf: leaf.data, disclosure: disclosure.text))?.erasedRecords ?? []
            guard !ranges.isEmpty else { return nil }
            self = .erases(ranges)
        case .keyRotated:
            guard let key = fields["key"]?.string.flatMap(NoteVerifier.init(text:)) else { return nil }
            self = .namesKey(
                key, previous: fields["previousKey"]?.string,
                isRotation: ["created", "rotated"].contains(fields["reason"]?.string))
        case .sessionStarted:
            let named = fields["decisionRecords"]?.object ?? [:]
            let used = fields["grants"]?.object ?? [:]
            let resources = used.keys.prefix(Self.mostResources).compactMap { resource -> (GrantKey, UInt64?)? in
                let record = used.count > Self.mostResources ? nil : named[resource]?.integer
                return Self.key(resource, disclosure).map { ($0, record.flatMap { UInt64(exactly: $0) }) }
            }
            guard !resources.isEmpty else { return nil }
            self = .session(Dictionary(resources) { first, _ in first })
        default: return nil
        }
    }

    private static func key(_ resource: String?, _ disclosure: Disclosure) -> GrantKey? {
        resource.map {
            GrantKey(
                client: disclosure.fields["client"]?.string, user: disclosure.fields["user"]?.integer, resource: $0)
        }
    }
}
