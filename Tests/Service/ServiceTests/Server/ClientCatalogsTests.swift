import Authorization
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import Server

@Suite("Clients of several users")
struct ClientCatalogsTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func manifest(_ identifier: String) -> Data {
        Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>\(identifier)</string>
            <key>CFBundleExecutable</key><string>/usr/bin/curl</string>
            <key>NSMicrophoneUsageDescription</key><string>Listens while you dictate.</string>
            </dict></plist>
            """.utf8)
    }

    private func install(_ identifier: String, for user: UInt32) throws {
        let installation = ManifestInstallation(
            clients: ServiceMode.clients(of: user, in: folder.path), staging: folder.path)
        _ = try installation.install(
            ManifestFile(data: manifest(identifier), translations: []),
            as: try #require(ClientIdentifier(rawValue: identifier)))
    }

    private func clients(_ catalogs: ClientCatalogs, _ user: UInt32) async -> [String] {
        await catalogs.cache(of: user).current().catalog.clients.map(\.manifest.identifier.rawValue)
            .filter { $0.hasPrefix("org.example.several") }
    }

    @Test("in enforced mode a manifest is for the user who installed it, and in use at once")
    func apart() async throws {
        let catalogs = ServiceMode.enforced.catalogs(in: folder.path, builtIn: [])
        try install("org.example.several.one", for: 1001)
        #expect(await clients(catalogs, 1001) == ["org.example.several.one"])
        #expect(await clients(catalogs, 1002).isEmpty)
        try install("org.example.several.two", for: 1002)
        #expect(await clients(catalogs, 1001) == ["org.example.several.one"])
        #expect(await clients(catalogs, 1002) == ["org.example.several.two"])
    }

    @Test("clients of one user are never used for another, however many users there are")
    func versions() async throws {
        let catalogs = ServiceMode.enforced.catalogs(in: folder.path, builtIn: [])
        var versions: Set<UInt64> = []
        for user in UInt32(2000)..<2100 { versions.insert(await catalogs.cache(of: user).current().version) }
        #expect(versions.count == 100)
        // Forgotten since, and read again.
        #expect(!versions.contains(await catalogs.cache(of: 2000).current().version))
    }

    @Test("in advisory mode there is one folder for all callers")
    func shared() async throws {
        let catalogs = ServiceMode.advisory.catalogs(in: folder.path + "/1001", builtIn: [])
        try install("org.example.several.one", for: 1001)
        #expect(await clients(catalogs, 5) == ["org.example.several.one"])
    }
}
