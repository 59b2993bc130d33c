import Engines
import Foundation
import TestSupport
import Testing

@testable import EngineInstallation

/// The catalogue's own engine. Its packages are downloaded once, to `.build/engines`.
@Suite("The real Moonshine", .timeLimit(.minutes(5)))
struct RealEngineTests {
    private static let wheels = Checkout.root.path + "/.build/engines"

    @Test("each file of moonshine-tiny-en is as the catalogue says")
    func files() async throws {
        let entry = try #require(try EngineCatalogue.builtIn().entry("moonshine-tiny-en"))
        let artefacts = entry.artefacts(for: Machine.architecture)
        if !artefacts.allSatisfy({ FileManager.default.fileExists(atPath: Self.wheels + "/" + $0.file) }) {
            do {
                try await PackageDownload().fetch(artefacts, into: Self.wheels) { _ in }
            } catch {
                print("skipped: the packages of moonshine-tiny-en cannot be downloaded here")
                return
            }
        }
        let folder = try TemporaryFolder()
        let staging = try StagingFolder(in: folder.path + "/staging", isReadableByAll: false)
        let prepared = try await EnginePreparation(entry, wheels: Self.wheels).prepare(in: staging) { _ in }
        let names = try FileManager.default.contentsOfDirectory(atPath: prepared)
        #expect(Set(names) == Set(entry.files(for: Machine.architecture).keys).union(["engine.json"]))
    }
}
