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

    private(set) var types: [String] = []
    private(set) var hardware: [Hardware] = []

    /// Why a PCM that contains the type is not opened.
    private static let refusedTypes: [String: String] = [
        "share": "it is of type “share”, which can abort the service",
        "file": "it is of type “file”, which writes files and is no microphone",
        "shm": "it is of type “shm”, which is no microphone",
        "null": "it is of type “null”, which is silent",
    ]
    private static let deepest = 16

    // All threads share the configuration's cache; the lock prevents that one drops it while another reads it.
    private static let configuration = Mutex(())

    static func withConfiguration<Value: Sendable>(_ body: () -> Value) -> Value {
        configuration.withLock { _ in body() }
    }

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
            var definition = PCMDefinition()
            return Result { () throws(CaptureError) in
                try definition.follow(name: name.text, device: name.text, top: top, depth: 0)
                return definition
            }
        }
        return try result.get()
    }

    private mutating func follow(
        name: String, device: String, top: OpaquePointer, depth: Int
    ) throws(CaptureError) {
        switch ConfigurationNode.definition(of: name, in: "pcm", top: top) {
        case .failure(let failure):
            // Without a card there are other numbers, too (EINVAL from a failed function); all mean that it does not exist.
            throw .opening(device, error: failure.errorNumber == -EACCES ? -EACCES : -ENOENT)
        case .success(let node):
            try follow(node.pointer, device: device, top: top, depth: depth)
            withExtendedLifetime(node) {}
        }
    }

    private mutating func follow(
        _ node: OpaquePointer, device: String, top: OpaquePointer, depth: Int
    ) throws(CaptureError) {
        guard depth < Self.deepest else {
            throw Self.refusal(device, because: "its definition is circular")
        }
        if let alias = ConfigurationNode.string(node) {
            return try follow(name: alias, device: device, top: top, depth: depth + 1)
        }
        guard let typeNode = ConfigurationNode.child("type", of: node), let type = ConfigurationNode.string(typeNode)
        else { throw .opening(device, error: -ENOENT) }
        if let reason = Self.refusedTypes[type] { throw Self.refusal(device, because: reason) }
        types.append(type)
        if type == "hw" { addHardware(node) }

        for key in ["slave", "capture"] {
            guard let slave = ConfigurationNode.child(key, of: node) else { continue }
            try follow(slave: slave, device: device, top: top, depth: depth + 1)
        }
        if let slaves = ConfigurationNode.child("slaves", of: node) {
            for slave in ConfigurationNode.children(of: slaves) {
                try follow(slave: slave, device: device, top: top, depth: depth + 1)
            }
        }
    }

    /// A slave is `{ pcm … }`, or the name of such a section in `pcm_slave`.
    private mutating func follow(
        slave: OpaquePointer, device: String, top: OpaquePointer, depth: Int
    ) throws(CaptureError) {
        if let name = ConfigurationNode.string(slave) {
            guard case .success(let node) = ConfigurationNode.definition(of: name, in: "pcm_slave", top: top) else {
                throw .opening(device, error: -ENOENT)
            }
            if let pcm = ConfigurationNode.child("pcm", of: node.pointer) {
                try follow(pcm, device: device, top: top, depth: depth + 1)
            }
            withExtendedLifetime(node) {}
        } else if let pcm = ConfigurationNode.child("pcm", of: slave) {
            try follow(pcm, device: device, top: top, depth: depth + 1)
        }
    }

    private mutating func addHardware(_ node: OpaquePointer) {
        guard let cardNode = ConfigurationNode.child("card", of: node) else { return }
        let card = ConfigurationNode.string(cardNode) ?? ConfigurationNode.integer(cardNode).map(String.init)
        guard let card else { return }
        let device = ConfigurationNode.child("device", of: node).flatMap {
            ConfigurationNode.integer($0) ?? ConfigurationNode.string($0).flatMap(Int.init)
        }
        hardware.append(Hardware(card: card, device: device ?? 0))
    }

    private static func refusal(_ device: String, because reason: String) -> CaptureError {
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

/// Owner of a configuration tree from a search.
final class ConfigurationNode {
    let pointer: OpaquePointer

    private init(pointer: OpaquePointer) { self.pointer = pointer }

    deinit { snd_config_delete(pointer) }

    /// Looks up a name in `pcm` or `pcm_slave` and substitutes its arguments.
    /// - Returns: the error number if it does not exist or cannot be evaluated (`default` without a card).
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
