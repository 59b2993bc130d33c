import Glibc

/// The texts with which a process was started. Linux gives them as bytes; a Swift string has U+FFFD for bytes that are not
/// UTF-8, and would then name another file.
public enum ProcessTexts {
    private static let folders = [
        "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "TMPDIR", "VOICEGATE_SOCKET",
    ]

    /// What of them is not UTF-8, and what to do about it; nil if the process can use all of them.
    public static func problem() -> String? {
        for case let argument? in UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)) {
            if let name = escaped(argument) {
                return "The argument \(name) is not in UTF-8. Rename the file, or pass its contents: command - < FILE"
            }
        }
        for variable in folders {
            if let value = getenv(variable), let text = escaped(value) {
                return "\(variable)=\(text) is not in UTF-8. Set it to a folder whose name is."
            }
        }
        return nil
    }

    /// With `\\xE9` for each byte that is not part of UTF-8; nil if it is UTF-8.
    static func escaped(_ text: UnsafePointer<CChar>) -> String? {
        guard String(validatingCString: text) == nil else { return nil }
        var bytes = UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }[...]
        var result = ""
        while !bytes.isEmpty {
            let scalar = (1...4).lazy.compactMap { String(validating: bytes.prefix($0), as: UTF8.self) }.first
            let byte = String(UInt32(bytes[bytes.startIndex]) + 0x100, radix: 16, uppercase: true).dropFirst()
            result += scalar ?? "\\x" + byte
            bytes = bytes.dropFirst(scalar?.utf8.count ?? 1)
        }
        return result
    }
}
