import Foundation

/// A configuration file with virtual microphones, for child processes. Removes itself.
public final class VirtualMicrophoneConfiguration: Sendable {
    /// A folder for what goes with them: flag files, logs.
    public let folder: URL
    public let path: String

    /// - Parameters:
    ///   - microphones: the first is also `default`, unless `default` is among them.
    ///   - text: further configuration.
    public init(_ microphones: [VirtualMicrophone], text: String = "") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("voicegate-alsa-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("asound.conf").path
        var content = try VirtualMicrophone.pluginDefinition()
        for microphone in microphones { content += microphone.definition }
        if let first = microphones.first, !microphones.contains(where: { $0.name == "default" }) {
            content += "pcm.!default \"\(first.name)\"\n"
        }
        try (content + text).write(toFile: path, atomically: true, encoding: .utf8)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// What to add to a child's environment.
    public var environment: [String: String] { ["ALSA_CONFIG_PATH": VirtualMicrophone.configurationPath(path)] }
}
