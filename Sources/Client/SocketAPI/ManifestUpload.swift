import Foundation

/// `PUT /v1/clients/{client}`; answered with 204: a manifest for the machine's own service, which reads no home folders.
/// Only VoiceGate's own command may call it.
public struct ManifestUpload: Sendable, Hashable, Codable {
    /// The Info.plist, byte for byte.
    public var manifest: Data
    /// Language, such as `ja` → its InfoPlist.strings, byte for byte.
    public var translations: [String: Data]

    public init(manifest: Data, translations: [String: Data] = [:]) {
        self.manifest = manifest
        self.translations = translations
    }
}
