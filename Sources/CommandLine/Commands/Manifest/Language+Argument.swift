import ArgumentParser
import Authorization

extension Language: ExpressibleByArgument {
    /// Takes a language tag or the name of a locale.
    public init?(argument: String) { self.init(tag: argument) }
}
