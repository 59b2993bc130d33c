import Foundation
import Glibc

/// A network namespace that was seen through one of its processes, held on to: its list of devices can be read when that
/// process has ended, too.
final class NetworkNamespace: Sendable {
    /// The list, open. The kernel keeps the namespace with it.
    private let devices: OwnedDescriptor

    /// - Parameter folder: `/proc/PID/task/TID`.
    /// - Returns: `nil` when it cannot be opened.
    init?(of folder: String) {
        let number = open(folder + "/net/dev", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return nil }
        devices = OwnedDescriptor(owning: number)
    }

    /// Whether nothing leads out of it now. A device that came and went between two looks is not seen.
    var isClosed: Bool {
        guard lseek(devices.rawValue, 0, SEEK_SET) == 0 else { return false }
        var text = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while text.count <= NetworkDevices.sizeLimit {
            let count = read(devices.rawValue, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return false }
            if count == 0 { return NetworkDevices.areLoopbackAlone(String(decoding: text, as: UTF8.self)) }
            text.append(contentsOf: buffer.prefix(count))
        }
        return false
    }
}
