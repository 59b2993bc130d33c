import Authorization

/// Who descends from whom, by the kernel's word at this moment.
///
/// A process whose parent has ended belongs to another one from then on, so a program can leave its family (a daemon
/// does); what must not be related is also held to other conditions.
public enum ProcessLineage {
    /// Generations that are followed; a longer line counts as related.
    private static let deepest = 512

    /// Whether one of the two is the other, or descends from it.
    ///
    /// - Parameter root: where proc is mounted.
    public static func areRelated(_ one: ProcessIdentity, _ other: ProcessIdentity, root: String = "/proc") -> Bool {
        one == other || descends(one, from: other, root) || descends(other, from: one, root)
    }

    private static func descends(_ process: ProcessIdentity, from ancestor: ProcessIdentity, _ root: String) -> Bool {
        guard var status = try? ProcessStatus(of: process.processIdentifier, root: root),
            status.startTime == process.startTime
        else { return false }
        for _ in 0..<deepest {
            guard status.parent > 0, let parent = try? ProcessStatus(of: status.parent, root: root) else {
                return false
            }
            if parent.processIdentifier == ancestor.processIdentifier, parent.startTime == ancestor.startTime {
                return true
            }
            status = parent
        }
        return true
    }
}
