/// A word of one of the socket API's enumerations. A service that is newer than this library may send words that it does not know:
/// they are kept as they are, and equal none of the constants.
///
/// A `switch` over one therefore has a `default`.
public protocol Word: RawRepresentable, Codable, Sendable, Hashable, CustomStringConvertible where RawValue == String {
    /// - Parameter rawValue: the word as the socket API has it.
    init(rawValue: String)
}

extension Word {
    public var description: String { rawValue }
}
