import CArchive
import Cryptography
import Engines
import Foundation
import TestSupport
import Testing

/// Wheels as they may be, and as they must not be.
enum SampleWheel {
    struct Member {
        let path: String
        let text: String
        var link: String?

        init(_ path: String, _ text: String = "text", link: String? = nil) {
            (self.path, self.text, self.link) = (path, text, link)
        }
    }

    static let file = "sample_engine-1.0-py3-none-any.whl"

    /// What pip reads of a wheel.
    static let description = [
        Member("sample_engine-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: sample-engine\nVersion: 1.0\n"),
        Member("sample_engine-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
        Member("sample_engine-1.0.dist-info/RECORD", ""),
    ]

    /// Two tokens in Moonshine's form.
    static let tokenizer = "\u{1}a\u{3}▁"
    static let tokens = "YQ== 0\n4paB 1\n"
    static let engine = [
        Member("sample/lib.so", String(repeating: "library ", count: 4_000)), Member("sample/tokenizer.bin", tokenizer),
        Member("sample/setup.py", "raise SystemExit('never run')"),
    ]

    static func sha256(_ data: Data) -> String { SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined() }

    @discardableResult
    static func write(_ members: [Member], to path: String) throws -> String {
        let archive = try #require(archive_write_new())
        defer { archive_write_free(archive) }
        archive_write_set_format_zip(archive)
        try #require(archive_write_open_filename(archive, path) == ARCHIVE_OK)
        for member in members {
            let entry = try #require(archive_entry_new())
            defer { archive_entry_free(entry) }
            archive_entry_set_pathname(entry, member.path)
            archive_entry_set_perm(entry, 0o644)
            archive_entry_set_filetype(entry, member.link == nil ? 0o100000 : 0o120000)
            if let link = member.link { archive_entry_set_symlink(entry, link) }
            let bytes = member.link == nil ? Data(member.text.utf8) : Data()
            archive_entry_set_size(entry, Int64(bytes.count))
            try #require(archive_write_header(archive, entry) == ARCHIVE_OK)
            _ = bytes.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
        }
        try #require(archive_write_close(archive) == ARCHIVE_OK)
        return path
    }

    /// An entry with one artefact, whose contents are these members; `tokenizer.bin` becomes `tokens.txt`.
    ///
    /// - Parameter change: of the artefact's fields.
    static func entry(
        _ wheel: String, _ members: [Member] = Array(engine.prefix(2)), change: (inout [String: Any]) -> Void = { _ in }
    ) throws -> EngineEntry {
        let data = try Data(contentsOf: URL(fileURLWithPath: wheel))
        var artefact: [String: Any] = [
            "package": "sample-engine", "version": "1.0", "file": (wheel as NSString).lastPathComponent,
            "sha256": sha256(data), "bytes": data.count,
            "contents": members.map { member in
                [
                    "path": member.path, "name": (member.path as NSString).lastPathComponent,
                    "sha256": sha256(Data(member.text.utf8)), "bytes": member.text.utf8.count,
                ] as [String: Any]
            },
        ]
        change(&artefact)
        let derived: [String: Any] = [
            "name": "tokens.txt", "from": "tokenizer.bin", "format": "moonshine-tokenizer",
            "sha256": sha256(Data(tokens.utf8)), "bytes": tokens.utf8.count,
        ]
        let hasTokenizer = members.contains { $0.path.hasSuffix("tokenizer.bin") }
        let model = (members[0].path as NSString).lastPathComponent
        let object: [String: Any] = [
            "recognizer": [
                "family": "moonshine", "encoder": model, "decoder": model, "tokens": model, "detector": model,
            ],
            "id": "sample", "name": "Sample", "version": "1.0", "description": "For tests.", "languages": ["en"],
            "tasks": ["dictation"], "inputs": ["live"], "partialTexts": true, "wordTimes": false, "confidences": false,
            "licences": ["code": ["MIT"], "weights": "MIT"], "free": true, "artefacts": [artefact],
            "derived": hasTokenizer ? [derived] : [],
        ]
        return try JSONDecoder().decode(EngineEntry.self, from: try JSONSerialization.data(withJSONObject: object))
    }
}
