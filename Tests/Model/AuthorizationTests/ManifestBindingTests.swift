import Authorization
import Foundation
import Testing

@Suite("What a manifest is bound to")
struct ManifestBindingTests {
    private func manifest(_ executable: String, _ keys: [String: String] = [:]) throws -> Manifest {
        let entries = keys.merging([
            "CFBundleIdentifier": "org.example.notes", "CFBundleExecutable": executable,
        ]) { key, _ in key }
        return try Manifest(
            propertyList: PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0))
    }

    @Test("a program, a script, a sandbox, a unit")
    func bindings() throws {
        let program = "/usr/bin/notes"
        #expect(try manifest(program).binding == .executable)
        #expect(try manifest("/usr/bin/python3", ["VoiceGateScript": "/opt/a.py"]).binding == .script("/opt/a.py"))
        #expect(try manifest(program, ["VoiceGateFlatpakID": "org.a.B"]).binding == .flatpak("org.a.B"))
        #expect(try manifest(program, ["VoiceGateSnap": "notes"]).binding == .snap("notes"))
        let unit = try #require(SystemdUnit("notes.service"))
        let own = try #require(SystemdUnit("user/notes@a.service"))
        #expect(own.manager == .user && own.name == "notes@a.service")
        #expect(try manifest(program, ["VoiceGateSystemdUnit": "notes.service"]).binding == .unit(unit, script: nil))
        #expect(
            try manifest(program, ["VoiceGateSystemdUnit": "user/notes@a.service"]).binding == .unit(own, script: nil))
    }

    @Test("an interpreter needs its script, unless root says what it runs or a sandbox is named")
    func interpreters() throws {
        for keys in [[:], ["VoiceGateSystemdUnit": "user/notes.service"]] {
            let error = #expect(throws: ManifestError.self) { try manifest("/usr/bin/python3", keys) }
            #expect(error?.code == .missingKey)
            #expect(error?.key == "VoiceGateScript")
        }
        #expect(throws: Never.self) { try manifest("/usr/bin/python3", ["VoiceGateSystemdUnit": "notes.service"]) }
        #expect(throws: Never.self) { try manifest("/usr/bin/python3", ["VoiceGateFlatpakID": "org.a.B"]) }
    }

    @Test(
        "what cannot be is refused, with the key",
        arguments: [
            (["VoiceGateScript": "a.py"], "VoiceGateScript"),
            (["VoiceGateFlatpakID": "a b"], "VoiceGateFlatpakID"), (["VoiceGateSnap": "../x"], "VoiceGateSnap"),
            (["VoiceGateFlatpakID": "org.a.B", "VoiceGateSnap": "b"], "VoiceGateSnap"),
            (["VoiceGateFlatpakID": "org.a.B", "VoiceGateScript": "/a"], "VoiceGateScript"),
            (["VoiceGateSystemdUnit": "notes"], "VoiceGateSystemdUnit"),
            (["VoiceGateSystemdUnit": "session-2.scope"], "VoiceGateSystemdUnit"),
            (["VoiceGateSystemdUnit": "a/b.service"], "VoiceGateSystemdUnit"),
            (["VoiceGateSystemdUnit": ".service"], "VoiceGateSystemdUnit"),
        ])
    func invalid(keys: [String: String], key: String) {
        let error = #expect(throws: ManifestError.self) { try manifest("/usr/bin/notes", keys) }
        #expect(error?.code == .invalidValue)
        #expect(error?.key == key)
    }
}
