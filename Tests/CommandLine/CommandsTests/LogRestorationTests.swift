import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite("Putting a backup in place of the log")
struct LogRestorationTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ files: [String]) throws -> String {
        let path = folder.path + "/" + name
        for file in files {
            let target = path + "/" + file
            try FileManager.default.createDirectory(
                atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data((name + file).utf8).write(to: URL(fileURLWithPath: target))
        }
        return path
    }

    @Test("what an interrupted restoration left is moved away with the log, and nothing is removed")
    func interrupted() throws {
        let backup = try make("backup", ["consent.sqlite", "consent.key", "kept/item"])
        let state = try make("state", ["consent.sqlite", "restored/copy/consent.sqlite", "engines/one"])
        let replaced = try #require(try LogRestoration(backup: backup, state: state).run())
        let manager = FileManager.default
        #expect(
            try manager.subpathsOfDirectory(atPath: replaced).sorted()
                == ["consent.sqlite", "restored", "restored/copy", "restored/copy/consent.sqlite"])
        #expect(
            try manager.contentsOfDirectory(atPath: state).sorted()
                == [
                    "consent.key", "consent.lock", "consent.sqlite", "engines", "kept",
                    (replaced as NSString).lastPathComponent,
                ])
        #expect(try String(contentsOfFile: state + "/consent.sqlite", encoding: .utf8) == "backupconsent.sqlite")
    }

    @Test("what root restores, with a new lock, is the service's user's", .enabled(if: geteuid() == 0))
    func owner() throws {
        let backup = try make("backup", ["consent.sqlite", "consent.key", "kept/item"])
        let state = try make("state", ["engines/one"])
        #expect(chown(state, 65_534, 65_534) == 0)
        #expect(try LogRestoration(backup: backup, state: state).run() == nil)
        for name in ["consent.lock", "consent.sqlite", "consent.key", "kept", "kept/item"] {
            let owner = try FileManager.default.attributesOfItem(atPath: state + "/" + name)[.ownerAccountID]
            #expect(owner as? Int == 65_534, "\(name)")
        }
    }

    @Test("a link in a backup is refused, and what it leads to is not changed")
    func links() throws {
        let backup = try make("backup", ["consent.sqlite", "consent.key"])
        let state = try make("state", ["consent.sqlite"])
        let other = try make("other", ["file"]) + "/file"
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: other)
        try manager.createSymbolicLink(atPath: backup + "/consent.more", withDestinationPath: other)
        #expect(throws: (any Error).self) { try LogRestoration(backup: backup, state: state).run() }
        #expect(try manager.attributesOfItem(atPath: other)[.posixPermissions] as? Int == 0o644)
        #expect(try String(contentsOfFile: state + "/consent.sqlite", encoding: .utf8) == "stateconsent.sqlite")
        #expect(!manager.fileExists(atPath: state + "/restored"))
    }
}
