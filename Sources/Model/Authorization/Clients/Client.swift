import Base

/// An application that asks for a resource: its identity and its manifest.
public struct Client: Sendable, Hashable {
    public let identifier: ClientIdentifier
    /// `nil` for a program without a manifest; every request of it is refused.
    public let manifest: Manifest?
    public let displayName: String
    /// No manifest identifies the program, so a grant lasts for one use at most.
    public let isOnceAtMost: Bool
    /// The name of a program that uses another client.
    private let programName: String?
    /// What notices show; made once, because each check of a permission compares it.
    private let declarations: [Resource: [Language: Agreement]]

    public init(manifest: Manifest) {
        self.identifier = manifest.identifier
        self.manifest = manifest
        self.displayName = manifest.name
        self.isOnceAtMost = false
        self.programName = nil
        self.declarations = Self.declarations(manifest)
    }

    public init(unregistered program: Executable) {
        self.identifier = .unregistered(program)
        self.manifest = nil
        self.displayName = ShownName.text(DisplayText.unquoted(program.name), of: identifier)
        self.isOnceAtMost = true
        self.programName = nil
        self.declarations = [:]
    }

    /// A program without a manifest that uses another client, such as a script that runs `voicegate dictate`. The other
    /// client's manifest declares what is collected and why.
    public init(unregistered program: Executable, using manifest: Manifest) {
        self.init(.unregistered(program), program.name, using: manifest)
    }

    /// A program that is not known, and uses another client.
    public init(unknownProgramUsing manifest: Manifest) {
        self.init(.unregistered(executable: "unknown-program"), "unknown-program", using: manifest)
    }

    /// Code that no file names, in a running interpreter. Nothing is known of it, which is what its notices say: it cannot be
    /// told apart from other code that the same process runs, and a grant is that process's.
    public init(codeIn interpreter: Executable) {
        let name = DisplayText.unquoted(interpreter.name)
        self.identifier = .unregistered(interpreter)
        let manifest = Manifest(codeIn: name, at: interpreter.path)
        self.manifest = manifest
        self.displayName = manifest.name
        self.isOnceAtMost = true
        self.programName = nil
        self.declarations = Self.declarations(manifest)
    }

    private init(_ identifier: ClientIdentifier, _ file: String, using manifest: Manifest) {
        // The titles of notices have it in quotation marks.
        let name = DisplayText.unquoted(file)
        self.identifier = identifier
        self.manifest = manifest
        self.displayName = Language.english.wording.programUsedWith(program: name, client: manifest.name)
        self.isOnceAtMost = true
        self.programName = name
        self.declarations = Self.declarations(manifest)
    }

    private static func declarations(_ manifest: Manifest) -> [Resource: [Language: Agreement]] {
        Resource.allCases.reduce(into: [:]) { declarations, resource in
            declarations[resource] = Language.allCases.reduce(into: [:]) {
                $0[$1] = Agreement(manifest, resource, $1)
            }
        }
    }

    /// What a notice about the resource shows; `nil` without a manifest.
    ///
    /// - Parameter language: of the texts; `nil`: any.
    func declared(_ resource: Resource, in language: Language?) -> Agreement? {
        declarations[resource]?[language ?? .english]
    }

    /// The fidelity of a new grant: reduced only for a client that declares phrases, which may prefer it.
    func fidelity(of resource: Resource, chosen: Fidelity = .full) -> Fidelity {
        guard resource == .speechRecognition, let manifest, !manifest.phrases.isEmpty else { return .full }
        return manifest.prefersReducedFidelity ? .reduced : chosen
    }

    public func displayName(in language: Language) -> String {
        guard let name = manifest?.localized(in: language).name else { return displayName }
        guard let programName else { return name }
        return language.wording.programUsedWith(program: programName, client: name)
    }
}

extension Manifest {
    /// What is known of code that no file names.
    fileprivate init(codeIn program: String, at path: String) {
        func texts(_ wording: Wording) -> ManifestTexts {
            ManifestTexts(
                name: wording.code(program: program),
                usageDescriptions: Resource.allCases.reduce(into: [:]) { $0[$1] = wording(.codeReason) },
                purpose: wording(.codePurpose), retention: wording(.codeRetention))
        }
        let english = texts(Language.english.wording)
        let others = Language.allCases.filter { $0 != .english }
        self.init(
            // Not the client's own: code must not read the records of other code in the same interpreter.
            identifier: .unregistered(executable: "code"), name: english.name ?? program, executablePath: path,
            usageDescriptions: english.usageDescriptions,
            practices: DataPractices(
                kinds: [.liveAudio, .transcript], purpose: english.purpose ?? "", retention: english.retention,
                recipients: nil),
            localizations: others.reduce(into: [:]) { $0[$1] = texts($1.wording) })
    }
}

/// A bundle identifier (`CFBundleIdentifier`): 1 to 155 of the characters A–Z, a–z, 0–9, `-` and `.`.
public struct ClientIdentifier: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public let rawValue: String

    /// - Returns: `nil` if the text is not a bundle identifier. The characters are Apple's; the length is bounded so that a
    ///   hostile manifest cannot fill prompts and records.
    public init?(rawValue: String) {
        guard (1...155).contains(rawValue.utf8.count), rawValue.utf8.first != UInt8(ascii: "."),
            rawValue.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        self.rawValue = rawValue
    }

    public var description: String { rawValue }

    /// The identifier of a program without a manifest: by its bytes, so that a copy with another name is the same.
    public static func unregistered(_ program: Executable) -> ClientIdentifier {
        unregistered(executable: String(program.sha256.prefix(32)))
    }

    public static func unregistered(executable name: String) -> ClientIdentifier {
        let kept = String(decoding: name.utf8.filter(isAllowed).prefix(100), as: UTF8.self)
        return ClientIdentifier(rawValue: "unregistered.\(kept)") ?? ClientIdentifier(unchecked: "unregistered")
    }

    /// Whether it is one that `unregistered` makes.
    public var isUnregistered: Bool { rawValue == "unregistered" || rawValue.hasPrefix("unregistered.") }

    private init(unchecked rawValue: String) { self.rawValue = rawValue }

    private static func isAllowed(_ byte: UInt8) -> Bool { byte.isASCIIAlphanumeric || "-.".utf8.contains(byte) }
}

/// A process that asks the gate, the client it was identified as, and whether the person was using it.
public struct Requester: Sendable, Hashable {
    public let caller: Caller
    public let client: Client
    public let presence: Presence
    /// The language of refusals.
    public let language: Language
    /// The language of prompts. The program does not choose it: the person must be able to read the question.
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

    public func key(for resource: Resource) -> DecisionKey {
        DecisionKey(user: caller.user, client: client.identifier, resource: resource)
    }

    public var isOnceAtMost: Bool { client.isOnceAtMost }
}
