import FleetSupport
import Foundation
import Testing
import Yams

@testable import Collector

@Suite("Settings")
struct SettingsTests {
    private static let packaging = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../Packaging/fleet")

    private static func settings(_ yaml: String) throws -> CollectorSettings {
        try YAMLDecoder().decode(CollectorSettings.self, from: yaml)
    }

    @Test("A setting that is not in the file has its default; an unknown name is an error")
    func names() throws {
        let settings = try Self.settings("listen: 0.0.0.0:1\nwebhook: {url: 'https://example.org'}\nuploads: 9")
        #expect(settings.listen == "0.0.0.0:1")
        #expect(settings.uploads == 9)
        #expect(settings.connections == CollectorSettings().connections)
        #expect(settings.webhook?.url == "https://example.org")
        for wrong in [
            "listens: 0.0.0.0:1", "connections: 4", "uploads: 0", "uploads: -1", "metricsByHost: true", "dailyBytes: 0",
            "dailyBytes: 2000000000000000",
        ] {
            #expect(throws: (any Error).self) { try Self.settings(wrong) }
        }
    }

    @Test("The example that the package installs is the standard settings, and its examples are settings")
    func example() throws {
        let file = Self.packaging.appending(path: "config.yaml")
        #expect(try CollectorSettings.read(file.path).address() == CollectorSettings().address())
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        // Prose is not indented, and begins with no setting's name.
        let settings = try Self.settings(
            lines.map { $0.dropFirst(2) }.filter { $0.contains(/^(  )?\w+:( |$)/) }.joined(separator: "\n"))
        #expect(settings.metricsByHost == CollectorSettings().metricsByHost && settings.webhook?.secretFile != nil)
        #expect(settings.keyFile == CollectorSettings().keyFile)
        #expect(settings.connections == CollectorSettings().connections)
        #expect(settings.uploads == CollectorSettings().uploads)
        #expect(settings.dailyBytes == CollectorSettings().dailyBytes)
    }

    @Test("compose.yaml's collectors are started by commands that there are, and have the secrets that they name")
    func compose() throws {
        let file = Self.packaging.appending(path: "compose.yaml")
        let document = try #require(
            try Yams.load(yaml: try String(contentsOf: file, encoding: .utf8)) as? [String: Any])
        let services = try #require(document["services"] as? [String: [String: Any]])
        let declared = try #require(document["secrets"] as? [String: Any])
        let commands = services.compactMapValues { $0["command"] as? [String] }
        #expect(Set(commands.keys) == ["migrate", "collector-1", "collector-2"])
        for (name, words) in commands {
            #expect(words.first == "voicegate-collector")
            let command = try CollectorCommand.parseAsRoot(Array(words.dropFirst()))
            #expect(command is ServeCommand || name == "migrate" && command is MigrateCommand)
            let secrets = try #require(services[name]?["secrets"] as? [String])
            for word in words {
                guard let secret = word.firstMatch(of: /\/run\/secrets\/(.+)/)?.1 else { continue }
                #expect(secrets.contains(String(secret)) && declared[String(secret)] != nil, "\(secret)")
            }
        }
    }

    @Test(
        "Plain text stays on the machine",
        arguments: [
            ("127.0.0.1:80", true), ("[::1]:80", true), ("localhost:0", true), ("unix:/run/x", true),
            ("0.0.0.0:80", false),
            ("[::]:80", false), ("127.0.0.1.example.org:80", false), ("example.org:80", false), ("127.0.0.1", false),
            ("127.0.0.1:99999", false),
        ])
    func plainText(listen: String, isAllowed: Bool) {
        var settings = CollectorSettings()
        settings.listen = listen
        #expect(((try? settings.address()) != nil) == isAllowed)
    }

    @Test("With a certificate any address is listened on; half of a pair is an error")
    func certificate() throws {
        var settings = CollectorSettings()
        (settings.listen, settings.certificate) = ("[::]:443", "c.pem")
        #expect(throws: CollectorSettings.Problem.self) { try settings.address() }
        settings.certificateKey = "k.pem"
        #expect(try settings.address() == .hostname("::", port: 443))
    }

    @Test("The key file has two keys, only its owner may read it, and it is not overwritten")
    func keyFile() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let keys = try CollectorKeys(name: "collector.example")
        try keys.write(to: file)
        #expect(try CollectorKeys(file: file).verifiers == keys.verifiers)
        #expect(throws: CollectorKeys.Problem.self) { try keys.write(to: file) }
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        #expect(throws: CollectorKeys.Problem.self) { try CollectorKeys(file: file) }
    }
}
