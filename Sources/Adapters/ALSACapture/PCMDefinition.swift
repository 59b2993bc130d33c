import CALSA
import Glibc
import Speech
import Synchronization

/// The definition of a PCM name: its types, down to the hardware. Read from the configuration; no device is opened.
struct PCMDefinition {
    /// A capture node of a card, of a PCM of type `hw`.
    struct Hardware: Hashable {
        let card: String
        let device: Int
    }

    fileprivate(set) var types: [String] = []
    fileprivate(set) var hardware: [Hardware] = []

    // All threads share the configuration's cache; the lock prevents that one drops it while another reads it.
    private static let configuration = Mutex(())

    /// Drops the library's cached configuration, so that a new sound server or card is found.
    static func forgetConfiguration() {
        configuration.withLock { _ in _ = snd_config_update_free_global() }
    }

    /// - Throws: `deviceNameRefused` for a PCM that must not be opened, `deviceNotFound` for an unknown one.
    static func read(_ name: ALSADeviceName) throws(CaptureError) -> PCMDefinition {
        let result: Result<PCMDefinition, CaptureError> = configuration.withLock { _ in
            var top: OpaquePointer?
            let error = snd_config_update_ref(&top)
            guard error >= 0, let top else { return .failure(.opening(name.text, error: error)) }
            defer { snd_config_unref(top) }
            var reader = PCMDefinitionReader(device: name.text, top: top)
            return Result { () throws(CaptureError) in
                try reader.follow(name: name.text, depth: 0)
                return reader.definition
            }
        }
        return try result.get()
    }
}

/// Follows a name through the configuration. Used while the configuration is locked.
private struct PCMDefinitionReader {
    /// Why a PCM that contains the type is not opened.
    private static let refusedTypes: [String: String] = [
        "share": "it is of type “share”, which can abort the service",
        "file": "it is of type “file”, which writes files and is not a microphone",
        "shm": "it is of type “shm”, which is not a microphone",
        "null": "it is of type “null”, which is silent",
    ]
    private static let deepest = 16

    /// For errors.
    let device: String
    let top: OpaquePointer
    private(set) var definition = PCMDefinition()

    mutating func follow(name: String, depth: Int) throws(CaptureError) {
        let node = try search(name, in: "pcm")
        defer { snd_config_delete(node) }
        try follow(node, depth: depth)
    }

    /// Looks up a name in `pcm` or `pcm_slave` and substitutes its arguments.
    ///
    /// - Returns: a tree that the caller deletes.
    private func search(_ name: String, in base: String) throws(CaptureError) -> OpaquePointer {
        var found: OpaquePointer?
        let error = snd_config_search_definition(top, base, name, &found)
        // Without a card there are other numbers, too (EINVAL from a failed function); all mean that it does not exist.
        guard error >= 0, let found else { throw .opening(device, error: error == -EACCES ? -EACCES : -ENOENT) }
        return found
    }

    private mutating func follow(_ node: OpaquePointer, depth: Int) throws(CaptureError) {
        guard depth < Self.deepest else { throw refusal("its definition is circular") }
        if let alias = ConfigurationNode.string(node) { return try follow(name: alias, depth: depth + 1) }
        guard let type = ConfigurationNode.child("type", of: node).flatMap(ConfigurationNode.string) else {
            throw .opening(device, error: -ENOENT)
        }
        if let reason = Self.refusedTypes[type] { throw refusal(reason) }
        definition.types.append(type)
        if type == "hw" { addHardware(node) }
        let single = ["slave", "capture"].compactMap { ConfigurationNode.child($0, of: node) }
        let several = ConfigurationNode.child("slaves", of: node).map(ConfigurationNode.children) ?? []
        for slave in single + several { try follow(slave: slave, depth: depth + 1) }
    }

    /// A slave is `{ pcm … }`, or the name of such a section in `pcm_slave`.
    private mutating func follow(slave: OpaquePointer, depth: Int) throws(CaptureError) {
        guard let name = ConfigurationNode.string(slave) else { return try follow(section: slave, depth: depth) }
        let section = try search(name, in: "pcm_slave")
        defer { snd_config_delete(section) }
        try follow(section: section, depth: depth)
    }

    private mutating func follow(section: OpaquePointer, depth: Int) throws(CaptureError) {
        if let pcm = ConfigurationNode.child("pcm", of: section) { try follow(pcm, depth: depth + 1) }
    }

    private mutating func addHardware(_ node: OpaquePointer) {
        guard let cardNode = ConfigurationNode.child("card", of: node),
            let card = ConfigurationNode.string(cardNode) ?? ConfigurationNode.integer(cardNode).map(String.init)
        else { return }
        let device = ConfigurationNode.child("device", of: node).flatMap {
            ConfigurationNode.integer($0) ?? ConfigurationNode.string($0).flatMap(Int.init)
        }
        definition.hardware.append(PCMDefinition.Hardware(card: card, device: device ?? 0))
    }

    private func refusal(_ reason: String) -> CaptureError {
        CaptureError(
            code: .deviceNameRefused, device: device,
            message: "The device “\(device)” cannot be used: \(reason). Choose one that `voicegate devices` lists.")
    }
}

extension PCMDefinition {
    struct Hint {
        let name: String
        /// In one line.
        let description: String
    }

    /// The library's names of capture devices: those whose IOID is “Input” or absent.
    static func hints() -> [Hint] {
        configuration.withLock { _ in
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

/// Reads the library's configuration tree.
private enum ConfigurationNode {
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
