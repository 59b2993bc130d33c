import Foundation
import Synchronization

extension VirtualMicrophone {
    private static let declared = Mutex<[String]>([])

    /// One configuration for the whole test process, because the library caches one; devices are added to it.
    private static let processConfiguration: Result<URL, any Error> = Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("voicegate-alsa-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("asound.conf")
        try pluginDefinition().write(to: file, atomically: true, encoding: .utf8)
        setenv("ALSA_CONFIG_PATH", configurationPath(file.path), 1)
        return file
    }

    /// A folder that no other test uses.
    public static func temporaryFolder() throws -> URL {
        let folder = try processConfiguration.get().deletingLastPathComponent()
            .appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Makes the device known to this process; its name must be its own.
    public func declare() throws { try Self.declare(definition) }

    /// Adds any text to the configuration of this process.
    public static func declare(_ text: String) throws {
        let file = try processConfiguration.get()
        try declared.withLock {
            $0.append(text)
            try (pluginDefinition() + $0.joined()).write(to: file, atomically: true, encoding: .utf8)
        }
    }
}
