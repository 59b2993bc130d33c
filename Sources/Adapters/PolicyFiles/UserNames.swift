import Glibc

/// The users of this machine.
enum UserNames {
    /// - Returns: the user's number, for a number as it is and for a name as the system knows it; else `nil`.
    static func identifier(of word: String) -> UInt32? {
        if let number = UInt32(word) { return number }
        guard word.first?.isNumber == false else { return nil }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        // Holds the entry's strings, which are not looked at.
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwnam_r(word, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return entry.pw_uid
    }
}
