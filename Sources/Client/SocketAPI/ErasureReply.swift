/// How many items were erased.
public struct ErasureReply: Sendable, Hashable, Codable {
    public var erased: Int

    public init(erased: Int) { self.erased = erased }
}
