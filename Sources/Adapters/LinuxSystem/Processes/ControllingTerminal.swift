import CLinux
import Foundation

/// The terminal a process belongs to.
public enum ControllingTerminal {
    /// Whether the process is in the foreground job of a terminal, as the kernel sees it at this moment.
    public static func isForegroundJobOfTerminal(_ process: Int32, root: String = "/proc") -> Bool {
        (try? ProcessStatus(of: process, root: root))?.isForegroundJobOfTerminal ?? false
    }

    /// The path of the terminal's device, such as `/dev/pts/3`.
    ///
    /// - Returns: `nil` when the process has none, or when no file in `/dev` is that device (another mount namespace).
    public static func path(of process: Int32, root: String = "/proc") -> String? {
        guard let status = try? ProcessStatus(of: process, root: root), status.terminal != 0 else { return nil }
        // tty_nr is laid out as dev_t: minor in bits 31–20 and 7–0, major in bits 15–8.
        let major = (status.terminal >> 8) & 0xFF
        let minor = (status.terminal & 0xFF) | ((status.terminal >> 12) & 0xFFF00)
        // Unix 98 pseudo-terminals have majors 136 to 143 (devices.txt), 256 to each, numbered through.
        let candidate =
            (136...143).contains(major) ? "/dev/pts/\((major - 136) * 256 + minor)" : deviceName(major, minor)
        guard let candidate, let device = deviceNumber(candidate), vg_device_major(device) == major,
            vg_device_minor(device) == minor
        else { return nil }
        return candidate
    }

    private static func deviceName(_ major: UInt32, _ minor: UInt32) -> String? {
        guard let file = try? RegularFile(path: "/sys/dev/char/\(major):\(minor)/uevent", limit: 4096) else {
            return nil
        }
        let line = String(decoding: file.data, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("DEVNAME=") }
        return line.map { "/dev/" + $0.dropFirst("DEVNAME=".count) }
    }

    private static func deviceNumber(_ path: String) -> UInt? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
        return UInt(status.st_rdev)
    }
}
