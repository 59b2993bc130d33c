import Foundation

/// The line `Uid:` of `/proc/PID/status` (proc_pid_status(5)).
struct UserIdentifiers {
    let real: UInt32

    init?(of process: Int32, root: String) {
        guard let file = try? RegularFile(path: "\(root)/\(process)/status", limit: 16_384) else { return nil }
        // The name comes first and is the program's own choice, but its line ends are escaped.
        let line = String(decoding: file.data, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Uid:") }
        guard let field = line?.split(whereSeparator: \.isWhitespace).dropFirst().first, let real = UInt32(field) else {
            return nil
        }
        self.real = real
    }
}
