import Authorization
import Glibc

/// The line at a terminal that says how far an export is.
struct ExportProgress {
    private let output: Output
    private let size: UInt64
    private let isShown: Bool
    private var percent = -1

    /// - Parameter path: `nil` for standard output; at a terminal the export itself is seen then.
    init(_ output: Output, size: UInt64, path: String?) {
        self.output = output
        self.size = size
        isShown = path != nil || isatty(STDOUT_FILENO) == 0
    }

    /// - Parameters:
    ///   - index: of the last record that was written.
    ///   - count: of records that were.
    mutating func tell(_ index: UInt64?, count: Int) {
        guard isShown, let index, size > 0 else { return }
        let percent = Int((index + 1) * 100 / size)
        guard percent != self.percent else { return }
        self.percent = percent
        output.live(Language.ofPerson.commandWording.exporting(count, of: size, percent: percent))
    }

    func end() { if isShown { output.clearLive() } }
}
