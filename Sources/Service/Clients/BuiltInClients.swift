import Authorization
import Foundation

/// VoiceGate's own programs as clients. Their manifest is a file like any other, built into the service, so that nobody
/// can put another in its place.
enum BuiltInClients {
    /// The command line, bound to the program beside this service rather than to the path in its manifest.
    static func commandLine(beside folder: String) throws -> Manifest {
        let manifest = try Manifest(propertyList: Data(PackageResources.CommandLine_plist), path: nil)
        return Manifest(
            identifier: manifest.identifier, name: manifest.name, executablePath: folder + "/voicegate",
            usageDescriptions: manifest.usageDescriptions, backgroundModes: manifest.backgroundModes,
            practices: manifest.practices, developmentRegion: manifest.developmentRegion,
            localizations: [
                .japanese: try texts(PackageResources.CommandLine_ja_strings),
                .korean: try texts(PackageResources.CommandLine_ko_strings),
            ])
    }

    private static func texts(_ bytes: [UInt8]) throws -> ManifestTexts {
        try ManifestTexts(strings: Data(bytes), purposeKeys: [])
    }
}
