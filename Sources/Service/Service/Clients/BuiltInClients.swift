import Authorization
import Foundation

/// VoiceGate's own programs as clients. Their manifest is a file like any other, built into the service, so that nobody
/// can put another in its place.
enum BuiltInClients {
    /// The command line, bound to the program beside this service rather than to the path in its manifest.
    ///
    /// - Parameter keeping: what the person wants to be kept, and for how long.
    static func commandLine(beside folder: String, keeping: KeepingTimes = [:]) throws -> Manifest {
        let manifest = try Manifest(propertyList: Data(PackageResources.CommandLine_plist), path: nil)
        var practices = manifest.practices
        if !keeping.isEmpty {
            practices.kinds = DataKind.allCases.filter { practices.kinds.contains($0) || keeping[$0] != nil }
            practices.keptByService = keeping
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

    /// For the longest of the times; what is kept for how long is said beside it.
    private static func retention(_ keeping: KeepingTimes, _ language: Language) -> String? {
        let times = keeping.values
        let longest =
            times.first { $0.milliseconds == nil } ?? times.max { ($0.milliseconds ?? 0) < ($1.milliseconds ?? 0) }
        return longest.map(language.wording.retention)
    }
}
