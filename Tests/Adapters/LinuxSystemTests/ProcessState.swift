import Foundation

enum ProcessState {
    /// Whether it has ended and was not waited for; also if it is gone.
    static func isZombie(_ process: Int32) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
        return status.split(separator: ")").last?.hasPrefix(" Z") ?? true
    }
}
