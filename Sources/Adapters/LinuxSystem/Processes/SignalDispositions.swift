import Foundation

/// What a process does with signals, as `/proc/PID/status` has it (proc_pid_status(5)): masks of 16 hexadecimal digits,
/// bit 0 for signal 1.
struct SignalDispositions {
    let blocked: UInt64
    let ignored: UInt64
    let caught: UInt64

    /// - Returns: `nil` when one of the three is missing.
    init?(parsing text: String) {
        var masks: [Substring: UInt64] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("Sig") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let mask = UInt64(parts[1].filter { !$0.isWhitespace }, radix: 16) else { continue }
            masks[parts[0]] = mask
        }
        guard let blocked = masks["SigBlk"], let ignored = masks["SigIgn"], let caught = masks["SigCgt"] else {
            return nil
        }
        (self.blocked, self.ignored, self.caught) = (blocked, ignored, caught)
    }

    /// - Parameter root: where proc is mounted.
    init(of process: Int32, root: String) throws(ProcessError) {
        // The name in it is escaped, so that no program can write a line of its own.
        guard let file = try? RegularFile(path: "\(root)/\(process)/status", limit: 16_384),
            let dispositions = SignalDispositions(parsing: String(decoding: file.data, as: UTF8.self))
        else {
            throw ProcessError(
                code: .unreadable, message: "The signals of process \(process) cannot be read. Mount /proc.")
        }
        self = dispositions
    }

    /// Whether the signal would not have its default effect.
    func isKept(fromDefault signal: Int32) -> Bool {
        (blocked | ignored | caught) & (1 << UInt64(signal - 1)) != 0
    }
}
