import Foundation

/// How far an output is written, kept beside it until it is complete.
struct ResumePlace: Codable, Hashable {
    /// A sound file as it was when the output was begun; of standard input only the name.
    struct Input: Codable, Hashable {
        let path: String
        var size: Int64?
        var modified: Double?

        init(path: String) {
            self.path = path
            var status = stat()
            guard path != "-", stat(path, &status) == 0 else { return }
            size = Int64(status.st_size)
            modified = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
        }
    }

    let inputs: [Input]
    let format: String
    /// The input that is worked on, the first is 0.
    var input = 0
    /// Whether what stands before its first utterance is written.
    var hasBegun = false
    /// Seconds of it whose utterances are written.
    var from = 0.0
    /// Captions that are written.
    var captions = 0
    /// Bytes of the output that are right; what stands behind them may be half of something.
    var bytes: Int64 = 0
    /// Where in the output the input that is worked on begins.
    var inputStart: Int64 = 0

    init(files: [String], format: TranscriptFormat) {
        inputs = files.map { Input(path: $0) }
        self.format = format.rawValue
    }

    func isOfSame(_ other: ResumePlace) -> Bool { inputs == other.inputs && format == other.format }

    mutating func nextInput() {
        input += 1
        (hasBegun, from) = (false, 0)
        inputStart = bytes
    }
}
