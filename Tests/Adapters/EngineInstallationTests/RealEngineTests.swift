import Engines
import Foundation
import TestSupport
import Testing

@testable import EngineInstallation

/// The packages of the catalogue's engine, if Tests/Support/Tools/setup-engine could download them.
private let wheels: String? = {
    let folder = Checkout.root.path + "/.build/engines"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains { $0.hasSuffix(".whl") } ? folder : nil
}()

@Suite(
    "The real Moonshine",
    .enabled(if: wheels != nil, "Tests/Support/Tools/setup-engine could not download the engine."),
    .timeLimit(.minutes(5)))
struct RealEngineTests {
    @Test("each file of moonshine-tiny-en is as the catalogue says")
    func files() async throws {
        let entry = try #require(try EngineCatalogue.builtIn().entry("moonshine-tiny-en"))
        let folder = try TemporaryFolder()
        let staging = try StagingFolder(in: folder.path + "/staging", isReadableByAll: false)
        let prepared = try await EnginePreparation(entry, wheels: try #require(wheels)).prepare(in: staging) { _ in }
        let names = try FileManager.default.contentsOfDirectory(atPath: prepared)
        #expect(Set(names) == Set(entry.files(for: Machine.architecture).keys).union(["engine.json"]))
    }
}
