/// What is looked for. The raw values are codes that do not change.
public enum LintRule: String, Sendable, Codable, Hashable, CaseIterable {
    /// The manifest, or one of its translations, cannot be read.
    case unreadable
    /// A key that every manifest needs, or one of the two usage descriptions.
    case missingKey
    case wrongValue

    // One text.
    case placeholder
    /// Nothing but the resource's name.
    case onlyName
    /// Says that something is used, not for what.
    case vague
    /// Promises that fit every program.
    case emptyPromise
    /// No word on what the person has from it.
    case noBenefit
    case tooShort
    case tooLong
    /// Longer than a prompt shows.
    case cutOff
    /// Characters that a prompt takes out: control characters and those that turn the writing around.
    case hiddenCharacters
    /// Written in another language than the client's, or than its folder says.
    case wrongLanguage

    // Texts together.
    case undeclaredLanguage
    case noHandling
    case missingTranslation
    case unusedTranslation

    // The four data items.
    case undeclaredRecipients
    case blankRecipient
    case undeclaredRetention
    case vagueRetention
    case retentionOfNothing
    /// VoiceGate is to keep what the other items do not declare, and so does not.
    case undeclaredKeeping

    // Least permission.
    case unneededMicrophone
    case unneededBackground
    case unexplainedBackground
    case unexplainedAlways
    case unknownBackgroundMode
    case purposeWithoutPhrases
    /// A context phrase with something in it that is not said as it is written.
    case unspokenContextPhrase

    // Programs.
    case missingProgram
    case notExecutable
    case writableProgram

    public var severity: LintSeverity {
        switch self {
        case .unreadable, .missingKey, .wrongValue, .placeholder, .onlyName, .vague, .cutOff, .hiddenCharacters,
            .wrongLanguage, .undeclaredRetention, .undeclaredKeeping, .unneededMicrophone, .unneededBackground,
            .unexplainedBackground,
            .unexplainedAlways, .missingProgram, .notExecutable, .writableProgram:
            .error
        case .emptyPromise, .noBenefit, .tooShort, .tooLong, .undeclaredLanguage, .missingTranslation,
            .undeclaredRecipients, .blankRecipient, .vagueRetention, .retentionOfNothing, .purposeWithoutPhrases,
            .unspokenContextPhrase:
            .warning
        case .noHandling, .unusedTranslation, .unknownBackgroundMode:
            .hint
        }
    }
}
