/// What is kept for how long; a kind that is absent is not kept.
public typealias KeepingTimes = [DataKind: KeepingTime]

extension KeepingTimes {
    /// What both allow, each kind for the shorter time.
    public func limited(by other: KeepingTimes) -> KeepingTimes {
        reduce(into: [:]) { common, entry in
            if let theirs = other[entry.key] { common[entry.key] = entry.value.shorter(theirs) }
        }
    }

    /// In the order in which a notice names them.
    public var inOrder: [(kind: DataKind, time: KeepingTime)] {
        DataKind.allCases.compactMap { kind in self[kind].map { (kind, $0) } }
    }
}
