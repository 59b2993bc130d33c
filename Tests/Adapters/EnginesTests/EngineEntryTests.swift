import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import Engines

@Suite("Descriptions of engines")
struct EngineEntryTests {
    private func problem(_ change: (inout [String: Any]) -> Void) throws -> String? {
        var object = SampleEngine.object()
        change(&object)
        let data = try JSONSerialization.data(withJSONObject: object)
        let entry = try JSONDecoder().decode(EngineEntry.self, from: data)
        do throws(VerifiedFolderError) {
            try entry.check()
            return nil
        } catch {
            #expect(error.code == .unusable)
            return error.message
        }
    }

    private func artefact(_ change: (inout [String: Any]) -> Void) throws -> String? {
        try problem { object in
            var artefacts = object["artefacts"] as? [[String: Any]] ?? []
            change(&artefacts[0])
            object["artefacts"] = artefacts
        }
    }

    private func content(_ key: String, _ value: Any) throws -> String? {
        try artefact { artefact in
            var contents = artefact["contents"] as? [[String: Any]] ?? []
            contents[0][key] = value
            artefact["contents"] = contents
        }
    }

    @Test("a description whose names lead elsewhere, or into pip's arguments, is refused")
    func unsafe() throws {
        #expect(try problem { _ in } == nil)
        for id in ["../x", "", "A", ".new", "pocketsphinx", "choices.json"] {
            #expect(try problem { $0["id"] = id } != nil, "\(id)")
        }
        for path in ["/etc/passwd", "../x", "a/../x", "a//x", ""] {
            #expect(try content("path", path)?.contains("path") == true, "\(path)")
        }
        for name in ["../x", "a/../b", "a//b", "a/b/c/d", "a/.b", ".hidden", "engine.json", "model", ""] {
            #expect(try content("name", name) != nil, "\(name)")
        }
        for package in ["--index-url=x", "a b", "a\n-e .", ""] {
            #expect(try artefact { $0["package"] = package } != nil)
            #expect(try artefact { $0["version"] = package } != nil)
            #expect(try artefact { $0["file"] = package + ".whl" } != nil || package.isEmpty)
        }
        #expect(try content("sha256", "00") != nil)
        #expect(try content("bytes", 0) != nil)
        #expect(try problem { $0["name"] = "a\u{1B}[2J" } != nil)
        #expect(try problem { $0["languages"] = [String]() } != nil)
        #expect(try problem { $0["tasks"] = ["singing"] } != nil)
        #expect(try problem { $0["artefacts"] = [[String: Any]]() } != nil)
    }

    @Test(
        "a family that the program does not run, and a file of the family that is missing, are named before anything is downloaded"
    )
    func families() throws {
        func recognizer(_ change: (inout [String: String]) -> Void) throws -> String? {
            try problem { object in
                var recognizer = object["recognizer"] as? [String: String] ?? [:]
                change(&recognizer)
                object["recognizer"] = recognizer
            }
        }
        #expect(
            try recognizer { $0["family"] = "whisper" }?.contains("“whisper”; the families are moonshine, vosk")
                == true)
        #expect(try recognizer { $0["family"] = nil }?.contains("recognizer has no family") == true)
        #expect(try problem { $0["recognizer"] = nil }?.contains("recognizer has no family") == true)
        #expect(try recognizer { $0["tokens"] = nil }?.contains("names no tokens of the family moonshine") == true)
        #expect(try recognizer { $0["encoder"] = "other" }?.contains("names no encoder") == true)
    }

    @Test("each field of the format is described in Documentation/Engines.md")
    func documented() throws {
        func fields(of value: Any) -> Set<String> {
            switch value {
            case let object as [String: Any]: object.reduce(Set(object.keys)) { $0.union(fields(of: $1.value)) }
            case let list as [Any]: list.reduce([]) { $0.union(fields(of: $1)) }
            default: []
            }
        }
        let entries = try EngineCatalogue.builtIn().engines
        let object = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(entries))
        let all = fields(of: object)
        #expect(all.isSuperset(of: ["recognizer", "memory", "measured", "derived", "architecture", "from", "cpu"]))
        let page = try String(contentsOf: Checkout.root.appending(path: "Documentation/Engines.md"), encoding: .utf8)
        let table = page.split(separator: "\n").filter { $0.hasPrefix("|") }.joined()
        #expect(all.filter { !table.contains("`\($0)`") }.isEmpty)
    }

    @Test("a machine for which one of the packages is missing has no artefacts")
    func architectures() throws {
        var object = SampleEngine.object()
        var artefacts = object["artefacts"] as? [[String: Any]] ?? []
        artefacts.append(artefacts[0])
        artefacts[0]["package"] = "libraries"
        artefacts[0]["architecture"] = "s390x"
        object["artefacts"] = artefacts
        let entry = try JSONDecoder().decode(EngineEntry.self, from: try JSONSerialization.data(withJSONObject: object))
        #expect(entry.artefacts(for: "x86_64").isEmpty && entry.files(for: "x86_64").isEmpty)
        #expect(entry.artefacts(for: "s390x").count == 2)
    }
}
