import Base
import Glibc
import LinuxSystem

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
