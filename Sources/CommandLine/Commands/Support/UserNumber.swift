import ArgumentParser
import Glibc

/// A user of this machine, named or numbered.
enum UserNumber {
    @Sendable static func read(_ text: String) throws -> UInt32 {
        if let number = UInt32(text) { return number }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 * 1024)
        guard getpwnam_r(text, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
            throw ValidationError("This machine has no user \(text).")
        }
        return entry.pw_uid
    }
}
