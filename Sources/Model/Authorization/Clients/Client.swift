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
