import Authorization
import Foundation

/// VoiceGate's own programs as clients. Their manifest is a file like any other, built into the service, so that nobody
/// can put another in its place.
enum BuiltInClients {
    /// The command line, bound to the program beside this service rather than to the path in its manifest.
    ///
    /// - Parameter keeping: how long the person wants transcripts to be kept; `nil`: they are not.
    static func commandLine(beside folder: String, keeping: KeepingTime? = nil) throws -> Manifest {
        let manifest = try Manifest(propertyList: Data(PackageResources.CommandLine_plist), path: nil)
        var practices = manifest.practices
        if let keeping {
            practices.keptByService = [.transcript: keeping]
            practices.retention = retention(keeping, .english)
        }
        return Manifest(
            identifier: manifest.identifier, name: manifest.name, executablePath: folder + "/voicegate",
            usageDescriptions: manifest.usageDescriptions, backgroundModes: manifest.backgroundModes,
            practices: practices, developmentRegion: manifest.developmentRegion,
            localizations: [
                .japanese: try texts(PackageResources.CommandLine_ja_strings, retention(keeping, .japanese)),
                .korean: try texts(PackageResources.CommandLine_ko_strings, retention(keeping, .korean)),
            ])
    }

    private static func texts(_ bytes: [UInt8], _ retention: String?) throws -> ManifestTexts {
        var texts = try ManifestTexts(strings: Data(bytes), purposeKeys: [])
        texts.retention = retention
        return texts
    }

    private static func retention(_ keeping: KeepingTime?, _ language: Language) -> String? {
        keeping.map(language.wording.retention)
    }
}
