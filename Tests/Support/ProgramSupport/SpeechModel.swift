import Foundation
import TestSupport

/// A model of PocketSphinx.
public enum SpeechModel: Sendable {
    /// The hundred words of Debian's test data, such as "go forward ten meters", which loads in a tenth of a second.
    /// `Tests/Support/Tools/setup-engine` has written it.
    case small
    /// The service's own: 134,000 words.
    case english

    private static let name = "turtle"

    /// Installs it as the service would have.
    ///
    /// - Returns: lines of config.yaml.
    func install(in stateDirectory: String) throws -> String {
        guard self == .small else { return "" }
        let engines = stateDirectory + "/engines"
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: engines, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try manager.copyItem(
            atPath: Checkout.root.appending(path: ".build/test-model/\(Self.name)").path,
            toPath: engines + "/" + Self.name)
        return "model: \(Self.name)\n"
    }
}
