/// What is taken from the other side at most, in bytes; checked before anything is parsed or stored.
public struct WyomingLimits: Sendable, Hashable {
    public var header: Int
    public var data: Int
    public var payload: Int

    public init(header: Int = 65_536, data: Int = 1_048_576, payload: Int = 2_097_152) {
        self.header = header
        self.data = data
        self.payload = payload
    }
}
