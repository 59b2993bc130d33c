import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Libraries linked into the programs", .timeLimit(.minutes(2)))
struct SBOMTests {
    private struct Pins: Decodable {
        struct Dependency: Decodable {
            struct State: Decodable {
                struct Checkout: Decodable {
                    let version: String?
                }
                let checkoutState: Checkout?
            }
            let subpath: String
            let state: State
        }
        struct Object: Decodable {
            let dependencies: [Dependency]
        }
        let object: Object
    }

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try install(
            [
                "voicegate-recognizer", "voicegate-recognizer-onnx", "voicegate-recognizer-vosk", "voicegate-engine",
            ], of: Programs.folder,
            into: "voicegate/usr/libexec/voicegate")
        try install(["voicegate", "voicegated"], of: Programs.folder, into: "voicegate/usr/bin")
    }

    private func install(_ names: [String], of built: String, into place: String) throws {
        let target = folder.path + "/" + place
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        for name in names {
            try FileManager.default.createSymbolicLink(
                atPath: target + "/" + name, withDestinationPath: built + "/" + name)
        }
    }

    /// - Parameter source: the folder with debian/copyright and debian/changelog.
    private func sbom(
        of package: String = "voicegate", in source: String = Packaging.root + "/Packaging"
    ) async throws -> (status: Int32, text: String, errors: String) {
        let run = try await Packaging.run([
            "/usr/bin/env", "-C", source, Packaging.root + "/Packaging/sbom", Programs.folder,
            folder.path + "/" + package,
        ])
        return (run.status, run.lines.joined(separator: "\n"), run.errors)
    }

    /// The document's packages, as spdx-tools reads them: name, version and licence.
    private func listed(_ text: String) async throws -> [[String]] {
        let path = try folder.write(text, to: "sbom.spdx.json")
        return try await PythonTools.run("check-sbom", [path]).map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    @Test("is valid SPDX for spdx-tools: each package with the resolved version, and what it includes of others")
    func document() async throws {
        let (status, text, errors) = try await sbom()
        #expect(status == 0, "\(errors)")
        let found = Dictionary(
            uniqueKeysWithValues: try await listed(text).map { ($0[0], (version: $0[1], license: $0[2])) })
        let pins = try JSONDecoder().decode(
            Pins.self, from: Data(contentsOf: Checkout.root.appending(path: ".build/workspace-state.json")))
        let linked = pins.object.dependencies.filter { found[$0.subpath] != nil }
        #expect(linked.count >= 15)
        for package in linked { #expect(found[package.subpath]?.version == package.state.checkoutState?.version) }
        // Resolved, not linked.
        for name in ["swift-nio-ssl", "swift-crypto", "BoringSSL"] { #expect(found[name] == nil) }
        // Debian 13 has it as libssl3t64.
        #expect(found.keys.contains { $0.hasPrefix("libssl3") })
        #expect(found["llhttp"]?.version.split(separator: ".").count == 3)
        for (name, license) in [
            "llhttp": "MIT", "ICU": "Unicode-3.0", "libyaml": "MIT", "swift": "Apache-2.0 WITH Swift-exception",
            "libsqlite3-0": "NOASSERTION",
        ] {
            #expect(found[name]?.license == license, "\(name)")
        }
    }

    @Test(
        "the programs of many machines too: those with TLS have BoringSSL",
        .enabled(if: Packaging.hasFleet, "needs the built Fleet: make fleet-build"),
        arguments: ["voicegate-sender", "voicegate-collector", "voicegate-fleet"])
    func fleet(package: String) async throws {
        try install([package], of: Programs.folder, into: package + "/usr/bin")
        let (status, text, errors) = try await sbom(of: package)
        #expect(status == 0, "\(errors)")
        let listed = try await listed(text)
        #expect(listed.contains { $0[0] == package })
        let names = listed.map { $0[0] }
        let hasTLS = package != "voicegate-fleet"
        #expect(names.contains("swift-nio-ssl") == hasTLS && names.contains("async-http-client") == hasTLS)
        #expect(names.contains("hummingbird") == (package == "voicegate-collector"))
        #expect(names.contains("libpq5") == (package != "voicegate-sender"))
        #expect(names.contains("BoringSSL") == hasTLS)
        #expect(listed.filter { $0[0] == "zlib" }.allSatisfy { $0[1].hasPrefix("1.") && $0[2] == "Zlib" })
    }

    @Test("has a licence in debian/copyright, or no document is written")
    func unknownLicense() async throws {
        let copyright = try String(contentsOfFile: Packaging.root + "/Packaging/debian/copyright", encoding: .utf8)
        let paragraphs = copyright.components(separatedBy: "\n\n")
        let paragraph = try #require(paragraphs.first { $0.contains("vendor/GRDB.swift/") })
        try folder.write(copyright.replacing(paragraph, with: "Comment: none"), to: "debian/copyright")
        try FileManager.default.copyItem(
            atPath: Packaging.root + "/Packaging/debian/changelog", toPath: folder.path + "/debian/changelog")
        let (status, text, errors) = try await sbom(in: folder.path)
        #expect(status == 1)
        #expect(text.isEmpty)
        #expect(errors.contains("debian/copyright does not say whose vendor/GRDB.swift is"), "\(errors)")
    }
}
