import CPocketSphinx
import Foundation

/// The worker's log: lines on standard error, each with its level first, which the service reads.
enum EngineLog {
    /// sphinxbase's levels.
    private static let warning: Int32 = 3
    private static let error: Int32 = 4

    /// Sends the library's warnings and errors there. Not its information: that quotes what was said.
    static func begin() {
        vg_decoder_log { level, line in
            guard level >= EngineLog.warning, let line else { return }
            EngineLog.write(level == EngineLog.warning ? "warning" : "error", String(cString: line))
        }
    }

    static func write(_ level: String, _ message: String) {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        guard !line.isEmpty else { return }
        try? FileHandle.standardError.write(contentsOf: Data("\(level) \(line)\n".utf8))
    }
}
