import CLinux
import Foundation
import Glibc

/// Reads and writes as a whole, also when a signal interrupts it.
public enum DescriptorBytes {
    /// - Returns: `count` bytes, or fewer at the end of the file; `nil` on failure, with `errno`.
    public static func read(_ count: Int, from descriptor: Int32) -> Data? {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: min(count, 65_536))
        while data.count < count {
            let length = Glibc.read(descriptor, &buffer, min(buffer.count, count - data.count))
            if length < 0 && errno == EINTR { continue }
            guard length >= 0 else { return nil }
            if length == 0 { break }
            data.append(contentsOf: buffer.prefix(length))
        }
        return data
    }

    /// Writes all bytes. Blocks, also on a non-blocking descriptor.
    ///
    /// - Returns: false on failure, with `errno`.
    public static func write(_ bytes: some ContiguousBytes, to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if count < 0, errno == EAGAIN {
                    // Another program made the descriptor non-blocking.
                    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&state, 1, -1)
                } else if count == 0 || errno != EINTR {
                    return false
                }
            }
            return true
        }
    }
}

public enum TerminalSize {
    /// Columns of a terminal; 80 if unknown.
    public static func columns(of terminal: Int32) -> Int { size(of: terminal, \.ws_col) ?? 80 }

    /// Lines of a terminal; 24 if unknown.
    public static func rows(of terminal: Int32) -> Int { size(of: terminal, \.ws_row) ?? 24 }

    private static func size(of terminal: Int32, _ side: KeyPath<winsize, UInt16>) -> Int? {
        var size = winsize()
        guard ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0, size[keyPath: side] > 0 else { return nil }
        return Int(size[keyPath: side])
    }
}

/// Ends a wait in `poll` from another thread or from a signal handler. Both ends are non-blocking.
public final class WakePipe: Sendable {
    public let reader: OwnedDescriptor
    public let writer: OwnedDescriptor

    /// - Returns: `nil` if no descriptors are left, with `errno`.
    public init?() {
        var ends: [Int32] = [-1, -1]
        guard vg_pipe(&ends) == 0 else { return nil }
        // A full pipe wakes the reader too.
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        reader = OwnedDescriptor(owning: ends[0])
        writer = OwnedDescriptor(owning: ends[1])
    }

    /// Ends the current and every later wait until `drain()`.
    public func wake() {
        var byte = UInt8(ascii: "c")
        _ = write(writer.rawValue, &byte, 1)
    }

    /// - Returns: whether it was woken within the time.
    public func isWoken(milliseconds: Int32) -> Bool {
        var request = pollfd(fd: reader.rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }

    public func drain() {
        var bytes = [UInt8](repeating: 0, count: 512)
        while read(reader.rawValue, &bytes, bytes.count) > 0 {}
    }
}
