import ArgumentParser
import Authorization

extension Resource: ExpressibleByArgument {
    /// Takes a resource's name in any case.
    public init?(argument: String) {
        guard let match = Self.allCases.first(where: { $0.rawValue.lowercased() == argument.lowercased() }) else {
            return nil
        }
        self = match
    }
}
