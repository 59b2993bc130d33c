import Foundation
import Glibc

/// A real pseudo-terminal: bytes written to `controller` are typed input, bytes read from it are output.
public final class PseudoTerminal: Sendable {
    public struct Failure: Error {
        public let number: Int32
    }

    public let controller: Int32
    public let terminal: Int32
    /// The terminal's device.
    public let path: String

    public init(columns: UInt16 = 80) throws {
        var controller: Int32 = -1
        var terminal: Int32 = -1
        guard openpty(&controller, &terminal, nil, nil, nil) == 0 else { throw Failure(number: errno) }
        for descriptor in [controller, terminal] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var name = [UInt8](repeating: 0, count: 64)
        let length = name.count
        let failure = name.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { ttyname_r(terminal, $0.assumingMemoryBound(to: CChar.self), length) } ?? EINVAL
        }
        guard failure == 0 else { throw Failure(number: failure) }
        path = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        self.controller = controller
        self.terminal = terminal
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }

    deinit {
        close(controller)
        close(terminal)
    }

    public func type(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = write(controller, bytes, bytes.count)
    }

    /// Waits until the terminal has shown the text.
    ///
    /// - Returns: everything read on the way.
    public func read(until text: String) -> String {
        var shown: [UInt8] = []
        var byte: UInt8 = 0
        while !String(decoding: shown, as: UTF8.self).contains(text), Glibc.read(controller, &byte, 1) == 1 {
            shown.append(byte)
        }
        return String(decoding: shown, as: UTF8.self)
    }
}
