import Glibc

/// A person as they are named at the command line.
enum Person {
    /// A user's name becomes their number; anything else stays as it is: a number, or a pseudonym of the records.
    static func subject(_ name: String) -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return name }
        return String(entry.pw_uid)
    }
}
