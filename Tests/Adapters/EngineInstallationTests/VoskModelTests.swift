import Engines
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import EngineInstallation

@Suite("Models of Vosk in folders and archives")
struct VoskModelTests {
    private typealias Member = SampleWheel.Member

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The files of a small model, without their content.
    private func model(_ name: String, readme: String? = nil, isDynamic: Bool = true) throws -> String {
        var files = ["am/final.mdl", "conf/model.conf", "graph/phones/word_boundary.int"]
        files.append(isDynamic ? "graph/HCLr.fst" : "graph/HCLG.fst")
        for file in files { try folder.write("x", to: "\(name)/\(file)") }
        if let readme { try folder.write(readme, to: name + "/README") }
        return folder.path + "/" + name
    }

    private func entry(_ model: String, language: String? = nil) throws -> EngineEntry {
        try EnginePreparation(model: model, id: nil, language: language).entry
    }

    @Test("the language is that of the folder's name as Vosk's makers write it, or of its README, or the given one")
    func languages() throws {
        for (name, tag) in [
            ("vosk-model-small-ja-0.22", "ja"), ("vosk-model-small-en-us-0.15", "en-US"), ("vosk-model-cn-0.22", "zh"),
            ("vosk-model-small-kz-0.15", "kk"), ("vosk-model-vn-0.4", "vi"), ("vosk-model-de-tuda-0.6-900k", "de"),
            ("vosk-model-small-uk-v3-nano", "uk"), ("vosk-model-tl-ph-generic-0.6", "fil"),
            ("vosk-model-el-gr-0.7", "el-GR"),
            ("vosk-model-small-pt-0.3", "pt"), ("vosk-model-fa-0.42", "fa"), ("vosk-model-small-eo-0.42", "eo"),
        ] { #expect(try entry(try model(name)).languages == [tag], "\(name)") }
        #expect(try entry(try model("first", readme: "Small Korean for Vosk")).languages == ["ko"])
        #expect(try entry(try model("second"), language: "sv").languages == ["sv"])
        let error = #expect(throws: VerifiedFolderError.self) { try entry(try model("third", readme: "A model")) }
        #expect(error?.code == .unusable && error?.message.contains("--language") == true)
    }

    @Test("the description has the files as they are, the catalogue's library, and phrases only with a dynamic graph")
    func description() throws {
        let dynamic = try entry(try model("vosk-model-small-ja-0.22"))
        #expect(dynamic.id == "vosk-model-small-ja-0.22" && dynamic.name == "Vosk ja 0.22")
        #expect(dynamic.tasks == ["dictation", "phrases", "grammar"] && dynamic.family == .vosk)
        let files = dynamic.files(for: "x86_64")
        #expect(
            files.keys.sorted() == [
                "am/final.mdl", "conf/model.conf", "graph/HCLr.fst", "graph/phones/word_boundary.int", "libvosk.so",
            ])
        #expect(files["am/final.mdl"]?.bytes == 1 && files["libvosk.so"]?.bytes == 25_986_496)
        #expect(dynamic.artefacts(for: "x86_64").map(\.package) == ["vosk"])
        #expect(try entry(try model("vosk-model-ja-0.22", isDynamic: false)).tasks == ["dictation"])
    }

    @Test("an archive with one model is unpacked under its name, hidden files left out")
    func archive() throws {
        let path = folder.path + "/model.zip"
        let root = "vosk-model-small-ja-0.22/"
        _ = try SampleWheel.write(
            ["am/final.mdl", "graph/HCLr.fst", ".DS_Store"].map { Member(root + $0) } + [Member("__MACOSX/._x")],
            to: path)
        let model = try VoskArchive.unpack(path, into: folder.path + "/staging")
        #expect(model == folder.path + "/staging/vosk-model-small-ja-0.22")
        #expect(try VerifiedFolder(model).files == ["am/final.mdl", "graph/HCLr.fst"])
        #expect(try entry(model).languages == ["ja"])
    }

    @Test(
        "an archive without a model, with two, or with a path that leads elsewhere is refused",
        arguments: [
            ["readme"], ["a/am/final.mdl", "b/am/final.mdl"], ["am/final.mdl", "../outside"], ["xam/final.mdl"],
            ["am/final.mdl", "a/b/c/d"],
        ])
    func refused(_ names: [String]) throws {
        let path = folder.path + "/model.zip"
        _ = try SampleWheel.write(names.map { Member($0) }, to: path)
        let error = #expect(throws: EngineInstallationError.self) {
            try VoskArchive.unpack(path, into: folder.path + "/staging")
        }
        #expect(error?.code == .damaged, "\(names)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/outside"))
    }

    @Test("what is not a zip archive is refused")
    func notZip() throws {
        try folder.write("text", to: "model.zip")
        let error = #expect(throws: EngineInstallationError.self) {
            try VoskArchive.unpack(folder.path + "/model.zip", into: folder.path)
        }
        #expect(error?.code == .damaged)
    }
}
