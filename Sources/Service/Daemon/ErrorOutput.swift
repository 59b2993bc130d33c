import Base
import Foundation
import Glibc
import LinuxSystem
import Logging

/// Standard error of the service. Each text becomes one line: names of programs and files come from outside, and must not look
/// like other entries of the log or control the terminal that shows it.
struct ErrorOutput: TextOutputStream, Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32 = STDERR_FILENO) { self.descriptor = descriptor }

    /// - Parameter text: an entry; a line end at its end is its own.
    func write(_ text: String) {
        let entry = text.hasSuffix("\n") ? text.dropLast() : text[...]
        // An error of standard error cannot be reported.
        _ = DescriptorBytes.write(Array((DisplayText.escaped(String(entry)) + "\n").utf8), to: descriptor)
    }
}

/// Writes the service's log: time, level and program, then the message, then its fields.
struct ServiceLog: LogHandler {
    let label: String
    var output = ErrorOutput()
    var now: @Sendable () -> Date = { Date() }
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value)" }
        let time = now().formatted(.iso8601)
        let entry = "\(time) \(event.level) \(label): \(event.message)"
        output.write(fields.isEmpty ? entry : "\(entry): \(fields.joined(separator: " "))")
    }
}
