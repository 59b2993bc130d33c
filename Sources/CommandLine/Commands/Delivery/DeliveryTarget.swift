import ArgumentParser

/// Where the text of a dictation goes, where no command is given for it.
enum DeliveryTarget: String, Sendable, Hashable, CaseIterable, Codable, ExpressibleByArgument {
    /// A line for each utterance.
    case stdout
    /// Typed into the window that has the keyboard.
    case type
    case clipboard
}
