import CALSA

/// Owner of a configuration tree that a search made.
final class ConfigurationNode {
    let pointer: OpaquePointer

    private init(pointer: OpaquePointer) { self.pointer = pointer }

    deinit { snd_config_delete(pointer) }

    /// Looks a name up in `pcm` or `pcm_slave`, with its arguments put in.
    /// - Returns: `nil` and the error number when it is not there or cannot be evaluated (no card, for `default`).
    static func definition(of name: String, in base: String, top: OpaquePointer) -> Result<ConfigurationNode, Failure> {
        var found: OpaquePointer?
        let error = snd_config_search_definition(top, base, name, &found)
        guard error >= 0, let found else { return .failure(Failure(errorNumber: error)) }
        return .success(ConfigurationNode(pointer: found))
    }

    struct Failure: Error {
        let errorNumber: Int32
    }

    static func string(_ node: OpaquePointer) -> String? {
        var text: UnsafePointer<CChar>?
        guard snd_config_get_string(node, &text) >= 0, let text else { return nil }
        return String(cString: text)
    }

    static func integer(_ node: OpaquePointer) -> Int? {
        var number = 0
        return snd_config_get_integer(node, &number) >= 0 ? number : nil
    }

    static func child(_ key: String, of node: OpaquePointer) -> OpaquePointer? {
        var found: OpaquePointer?
        return snd_config_search(node, key, &found) >= 0 ? found : nil
    }

    static func children(of node: OpaquePointer) -> [OpaquePointer] {
        guard snd_config_get_type(node) == SND_CONFIG_TYPE_COMPOUND else { return [] }
        var all: [OpaquePointer] = []
        var iterator = snd_config_iterator_first(node)
        let end = snd_config_iterator_end(node)
        while let current = iterator, current != end {
            if let entry = snd_config_iterator_entry(current) { all.append(entry) }
            iterator = snd_config_iterator_next(current)
        }
        return all
    }
}
