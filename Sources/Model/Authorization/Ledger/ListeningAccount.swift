/// What became of a session's device time, in frames at 16 kHz. Each frame has one kind, so that the kinds add up to what was
/// captured.
public struct ListeningAccount: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// Given to a recogniser, or to the detector of sounds that a monitor waits for.
        case heard(ListeningGround)
        /// Captured, or lost before it could be, and given to nothing.
        case dropped(DropReason)
        /// The device delivered nothing: it was lost and returned, or the machine slept.
        case paused
        /// Captured while the client had suspended the session, and given to nothing.
        case suspended
    }

    /// Never zero.
    private var frames: [Kind: Int64] = [:]

    public init() {}

    /// - Parameter frames: by kind; those of one kind are added up.
    public init(_ frames: KeyValuePairs<Kind, Int64>) {
        for (kind, count) in frames { add(count, as: kind) }
    }

    public subscript(kind: Kind) -> Int64 { frames[kind] ?? 0 }

    public mutating func add(_ count: Int64, as kind: Kind) {
        if count > 0 { frames[kind, default: 0] += count }
    }

    /// The session's device time: all kinds.
    public var captured: Int64 { frames.values.reduce(0, +) }

    /// What a session listened to.
    public var heard: Int64 { ListeningGround.allCases.reduce(0) { $0 + self[.heard($1)] } }

    /// Whole milliseconds of each kind that is not zero. They are rounded so that they add up to those of `captured`.
    public var milliseconds: [Kind: Int64] {
        var sum: Int64 = 0
        var milliseconds: [Kind: Int64] = [:]
        for kind in Kind.all {
            let before = sum / Self.framesInMillisecond
            sum += self[kind]
            let count = sum / Self.framesInMillisecond - before
            if count > 0 { milliseconds[kind] = count }
        }
        return milliseconds
    }

    public static let framesInMillisecond: Int64 = 16
}

extension ListeningAccount.Kind {
    /// In the order of rounding.
    static let all: [Self] =
        ListeningGround.allCases.map { .heard($0) } + DropReason.allCases.map { .dropped($0) } + [.paused, .suspended]
}

/// What allowed a session to listen at a moment.
public enum ListeningGround: String, Sendable, Codable, Hashable, CaseIterable {
    /// The client was in the foreground, or supplied the sound as a file.
    case foreground
    /// The client was in the background, and its manifest declares that it continues there.
    case backgroundMode
    /// The client was in the background, and has the permission always.
    case always
    /// A monitor waited for a phrase; the client did not run.
    case phrase
    /// A monitor waited for a sound; the client did not run.
    case sound
}

/// Why captured audio was given to nothing.
public enum DropReason: String, Sendable, Codable, Hashable, CaseIterable {
    /// The client was in the background, where it may not listen.
    case background
    /// The device's buffer overran, or the recogniser was too slow.
    case overrun
    /// A permission had ended.
    case permissionEnded
    /// It waited when the session was cancelled or its recogniser ended.
    case sessionEnded
}
