/// A place in the order of changes: after the change with this number.
///
/// Written `LIFE:REVISION`. The numbers of another life of the service mean nothing to this one.
public struct ChangeCursor: Sendable, Hashable, LosslessStringConvertible {
    /// UUID of one life of the gate, from start to end.
    public let life: String
    /// 0 before the first change; each change has the next number.
    public let revision: UInt64

    public init(life: String, revision: UInt64) {
        self.life = life
        self.revision = revision
    }

    public init?(_ description: String) {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.count <= 64,
            parts[1].allSatisfy({ $0.isASCII && $0.isNumber }), let revision = UInt64(parts[1])
        else { return nil }
        self.init(life: String(parts[0]), revision: revision)
    }

    public var description: String { "\(life):\(revision)" }
}
