import CALSA
import Glibc

extension PCMDefinition {
    struct Hint {
        let name: String
        /// In one line.
        let description: String
    }

    /// The names that the library lists and that can capture: those whose IOID is “Input” or missing.
    static func hints() -> [Hint] {
        withConfiguration {
            var list: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
            guard snd_device_name_hint(-1, "pcm", &list) >= 0, let list else { return [] }
            defer { snd_device_name_free_hint(list) }
            var hints: [Hint] = []
            var entry = list
            while let hint = entry.pointee {
                entry += 1
                guard let name = text("NAME", of: hint) else { continue }
                if let direction = text("IOID", of: hint), direction != "Input" { continue }
                let description = text("DESC", of: hint) ?? name
                hints.append(Hint(name: name, description: description.split(separator: "\n").joined(separator: ", ")))
            }
            return hints
        }
    }

    private static func text(_ key: String, of hint: UnsafeMutableRawPointer) -> String? {
        guard let text = snd_device_name_get_hint(hint, key) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
