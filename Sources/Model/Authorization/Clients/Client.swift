/// An application that asks for a resource: its identity and what its manifest declares.
public struct Client: Sendable, Hashable {
    public let identifier: ClientIdentifier
    /// `nil` for a program that no manifest describes; every request of it is refused.
    public let manifest: Manifest?
    public let displayName: String
    /// Whether a yes ends with its session whatever the person answers: nobody vouches for what the program is.
    public let isOnceAtMost: Bool
    /// The program's own name, where it uses another client.
    private let programName: String?

    public init(manifest: Manifest) {
        self.identifier = manifest.identifier
        self.manifest = manifest
        self.displayName = manifest.name
        self.isOnceAtMost = false
        self.programName = nil
    }

    public init(unregisteredExecutable name: String) {
        self.identifier = .unregistered(executable: name)
        self.manifest = nil
        self.displayName = identifier.rawValue
        self.isOnceAtMost = true
        self.programName = nil
    }

    /// A program without a manifest that uses another client, such as a script that runs `voicegate dictate`: what is
    /// collected and why is what that client declares.
    public init(unregisteredExecutable name: String, using manifest: Manifest) {
        self.identifier = .unregistered(executable: name)
        self.manifest = manifest
        self.displayName = Language.english.wording.name(ofProgram: name, usedWith: manifest.name)
        self.isOnceAtMost = true
        self.programName = name
    }

    /// The name as a person who reads the language sees it.
    public func displayName(in language: Language) -> String {
        guard let name = manifest?.localized(in: language).name else { return displayName }
        guard let programName else { return name }
        return language.wording.name(ofProgram: programName, usedWith: name)
    }
}

/// An application's bundle identifier (`CFBundleIdentifier`): 1 to 155 of the characters A–Z, a–z, 0–9, `-` and `.`.
public struct ClientIdentifier: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public let rawValue: String

    /// - Returns: `nil` when the text is not a bundle identifier. The set of characters is Apple's; the bound keeps a
    ///   hostile manifest from filling prompts and records.
    public init?(rawValue: String) {
        guard (1...155).contains(rawValue.utf8.count), rawValue.utf8.first != UInt8(ascii: "."),
            rawValue.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        self.rawValue = rawValue
    }

    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let identifier = Self(rawValue: text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a bundle identifier"))
        }
        self = identifier
    }

    public var description: String { rawValue }

    /// The identifier of a program that no manifest describes. It can be named in refusals and records, never granted.
    public static func unregistered(executable name: String) -> ClientIdentifier {
        let kept = String(decoding: name.utf8.filter(isAllowed).prefix(100), as: UTF8.self)
        return ClientIdentifier(rawValue: "unregistered.\(kept)") ?? ClientIdentifier(unchecked: "unregistered")
    }

    private init(unchecked rawValue: String) { self.rawValue = rawValue }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// Who asks the gate: the process, the application it was found to be, and where it stood when it asked.
public struct Requester: Sendable, Hashable {
    public let caller: Caller
    public let client: Client
    public let presence: Presence
    /// In which it is told why it is refused.
    public let language: Language
    /// In which the person is asked. Not for any program to choose: a question that cannot be read is no question.
    public let noticeLanguage: Language

    /// - Parameter noticeLanguage: default: `language`.
    public init(
        caller: Caller, client: Client, presence: Presence, language: Language = .english,
        noticeLanguage: Language? = nil
    ) {
        self.caller = caller
        self.client = client
        self.presence = presence
        self.language = language
        self.noticeLanguage = noticeLanguage ?? language
    }
}

extension Requester {
    public func key(for resource: Resource) -> DecisionKey {
        DecisionKey(user: caller.user, client: client.identifier, resource: resource)
    }

    /// A program that no manifest speaks for can be allowed once, never for longer.
    public var isOnceAtMost: Bool { client.isOnceAtMost }
}
