/// What can be wrong with a host; the cases' names are those in the table `fleet.alarm_kind`, in the order of its ranks.
public enum AlarmKind: String, Sendable, Hashable, CaseIterable {
    /// It signed two trees of which neither is the beginning of the other: it forked or rewrote its log.
    case forked
    /// It signed a checkpoint, and later has fewer records.
    case rolledBack
    /// A key signs for it that no record of its log and no administrator has named.
    case unknownKey
    /// A session began without a grant in force.
    case unfollowed
    /// It has sent a day's quota of bytes.
    case overQuota
    /// Its clock is wrong by more than `ReportRule.clockTolerance`.
    case clockWrong
    /// It has not reported in time.
    case silent
    /// It signed records that it does not send: no record came between two of its reports.
    case behind

    /// Whether the alarm ends as soon as its cause is over. The others are ended by an administrator.
    public var endsByItself: Bool {
        switch self {
        case .silent, .behind, .clockWrong, .overQuota, .unknownKey, .rolledBack: true
        case .forked, .unfollowed: false
        }
    }
}

/// When a host's clock is wrong, and when it is silent.
public enum ReportRule {
    /// Milliseconds between the host's clock and the collector's.
    public static let clockTolerance: Int64 = 60_000
    /// Milliseconds between the report with which a host enrols and the collector's clock.
    public static let enrolmentTolerance: UInt64 = 600_000
    /// A host is silent after this many intervals without a report: half an interval after it was due.
    public static let intervals = 1.5
    /// Seconds between reports that a host or a collector may ask for.
    public static let allowedInterval = 1...3600
    public static let defaultInterval = 60
    /// Of the counter from a report to the next: one that was pushed to the end of its range would end all reports.
    public static let widestStep: Int64 = 1 << 32
}
