/// What a start finds of the log, and what it does about it: `outcome(allowing:)` decides every case.
///
/// It cannot find a state directory that was replaced by an older one, or removed, as a whole: only a checkpoint kept
/// elsewhere reveals that.
public struct LogStart: Sendable, Hashable {
    public enum Records: String, Sendable, Hashable, CaseIterable {
        /// There is no database, or an empty one.
        case absent
        /// None names a key.
        case unsigned
        /// It names its keys.
        case signed
    }

    /// `consent.checkpoint`, or a published or cosigned checkpoint in the database.
    public enum LastCheckpoint: String, Sendable, Hashable, CaseIterable {
        case absent
        /// The log begins with the records that it signs.
        case continued
        /// It counts more records than there are.
        case ahead
        /// It signs other records.
        case diverging
        case ofAnotherLog
        /// It is not a checkpoint, or no key that the log had at that size signed it.
        case invalid
    }

    /// `consent.key`.
    public enum Key: String, Sendable, Hashable, CaseIterable {
        case absent
        /// The one that the log names last; of a log that names none, one that it had not named yet.
        case current
        /// The one before that, and with it the one that the log names last: its replacement was interrupted, and is
        /// completed.
        case interrupted
        /// One that the log has replaced.
        case retired
        /// It replaced the one that the log names last, or the log names none and had named it: the log is older.
        case newer
        /// One that the log does not name.
        case unknown
        /// The file holds no key of a log with this name.
        case invalid
    }

    /// What the administrator may allow for one start.
    public struct Options: OptionSet, Sendable, Hashable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let acceptRestoredLog = Options(rawValue: 1)
        public static let replaceLostKey = Options(rawValue: 2)
    }

    /// What a start records, in this order.
    public enum Act: String, Sendable, Hashable, CaseIterable {
        /// `clock.jump`
        case clockJump
        /// `recovery` with the reason `restored`
        case restored
        /// `key.rotated` with the reason `created`
        case keyCreated
        /// `key.rotated` with the reason `rotated`, or `restored` after `recovery`
        case keyRotated
        /// `key.rotated` with the reason `lost`
        case keyReplaced
    }

    public enum Outcome: Sendable, Hashable {
        /// There was no log.
        case begins
        case goesOn(recording: [Act])
        /// - options: with which it goes on; empty: none, until files were put back or aside.
        case refuses(ConsentError.Code, unless: Options)
    }

    public var records: Records
    public var checkpoint: LastCheckpoint
    public var key: Key
    /// Whether the key's file came from a backup or another machine.
    public var isCopy = false
    /// Whether the wall's clock shows less than the last record.
    public var isClockBack = false

    public init(
        records: Records, checkpoint: LastCheckpoint, key: Key, isCopy: Bool = false, isClockBack: Bool = false
    ) {
        self.records = records
        self.checkpoint = checkpoint
        self.key = key
        self.isCopy = isCopy
        self.isClockBack = isClockBack
    }

    public func outcome(allowing options: Options = []) -> Outcome {
        guard records != .absent else {
            let isNew = checkpoint == .absent && key == .absent
            return isNew ? .begins : .refuses(.logLost, unless: [])
        }
        guard key != .invalid else { return .refuses(.keyLost, unless: []) }
        let needed = neededOptions
        guard needed.isSubset(of: options) else { return .refuses(refusal, unless: needed) }
        let isRestored = isCopy || needed.contains(.acceptRestoredLog)
        var acts: [Act] = []
        if isClockBack { acts.append(.clockJump) }
        if isRestored { acts.append(.restored) }
        if needed.contains(.replaceLostKey) {
            acts.append(.keyReplaced)
        } else if isRestored, key != .absent {
            acts.append(.keyRotated)
        } else if records != .signed {
            acts.append(.keyCreated)
        }
        return .goesOn(recording: acts)
    }

    private var neededOptions: Options {
        var needed: Options = []
        switch checkpoint {
        case .continued: break
        case .absent: if records == .signed { needed.insert(.acceptRestoredLog) }
        case .ahead, .diverging, .ofAnotherLog, .invalid: needed.insert(.acceptRestoredLog)
        }
        switch key {
        case .current, .interrupted, .invalid: break
        case .absent: if records == .signed || checkpoint != .absent { needed.insert(.replaceLostKey) }
        case .retired, .unknown: needed.insert(.replaceLostKey)
        case .newer: needed.insert(.acceptRestoredLog)
        }
        return needed
    }

    private var refusal: ConsentError.Code {
        switch checkpoint {
        case .absent where records == .signed: .checkpointLost
        case .absent: neededOptions.contains(.acceptRestoredLog) ? .rolledBack : .keyLost
        case .continued: key == .newer ? .rolledBack : .keyLost
        case .ahead: .rolledBack
        case .diverging, .ofAnotherLog: .forked
        case .invalid: .badCheckpoint
        }
    }
}

extension LogStart {
    /// Sentences on what was found; the options that resolve it are a value.
    ///
    /// - Parameters:
    ///   - size: of the log.
    ///   - signedSize: of the last checkpoint, if it can be read.
    func error(_ code: ConsentError.Code, unless options: Options, size: UInt64, signedSize: UInt64?) -> ConsentError {
        var sentences = [checkpointProblem(size: size, signedSize: signedSize), keyProblem].compactMap { $0 }
        if key == .invalid {
            sentences.append("Restore it from a backup, or put it aside.")
        }
        return ConsentError(code: code, message: sentences.joined(separator: " "), resolvedBy: options)
    }

    private func checkpointProblem(size: UInt64, signedSize: UInt64?) -> String? {
        let signed = signedSize.map(String.init) ?? "more"
        return switch checkpoint {
        case .absent where records == .signed:
            "The consent log was signed, but its last checkpoint, consent.checkpoint, is not there, so it is unknown "
                + "whether the log was put back to an earlier state."
        case .ahead:
            "The consent log has \(size) records, but was signed when it had \(signed): it was put back to an earlier "
                + "state."
        case .diverging: "The first \(signed) records are not those that were signed."
        case .ofAnotherLog: "The last signed checkpoint, consent.checkpoint, is of another log."
        case .invalid:
            "The last signed checkpoint, consent.checkpoint, was changed: no key that the log had then signed it."
        case .absent, .continued:
            switch (key, records) {
            case (.newer, .signed):
                "The log's key was replaced after its last record: it was put back to an earlier state."
            case (.newer, _):
                "The consent log names no key, but consent.key has one that signed it: the log was put back to an "
                    + "earlier state."
            default: nil
            }
        }
    }

    private var keyProblem: String? {
        switch key {
        case .absent where neededOptions.contains(.replaceLostKey):
            "The log's key, consent.key, is not there, though it has signed."
        case .retired: "consent.key holds a key that the log has replaced."
        case .unknown: "consent.key holds a key that the log does not name."
        case .invalid: "consent.key does not hold the keys of this consent log."
        case .absent, .current, .interrupted, .newer: nil
        }
    }
}
