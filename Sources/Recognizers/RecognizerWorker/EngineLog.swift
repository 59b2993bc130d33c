import Foundation

/// The worker's log: lines on standard error that begin with their level, for the service.
public enum EngineLog {
    public static func write(_ level: String, _ message: String) {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        guard !line.isEmpty else { return }
        try? FileHandle.standardError.write(contentsOf: Data("\(level) \(line)\n".utf8))
    }
}
