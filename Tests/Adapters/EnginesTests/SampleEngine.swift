import Cryptography
import Foundation
import TestSupport

@testable import Engines

/// A small engine that cannot recognise anything.
enum SampleEngine {
    static let files = ["lib.so": "library", "model": "model"]

    static func sha256(_ text: String) -> String {
        SHA256.hash(data: text.utf8).map { String(format: "%02x", $0) }.joined()
    }

    static func entry(id: String = "sample", model: String = "model") throws -> EngineEntry {
        try JSONDecoder().decode(EngineEntry.self, from: try JSONSerialization.data(withJSONObject: object(id, model)))
    }

    /// The entry as JSON, to be changed.
    static func object(_ id: String = "sample", _ model: String = "model") -> [String: Any] {
        let contents = [("lib.so", "library"), ("model", model)].map { name, text in
            ["path": "sample/" + name, "name": name, "sha256": sha256(text), "bytes": text.utf8.count] as [String: Any]
        }
        return [
            "id": id, "name": "Sample", "version": "1.0", "description": "For tests.", "languages": ["en"],
            "tasks": ["dictation"], "inputs": ["live", "file"], "partialTexts": true, "wordTimes": false,
            "confidences": false,
            "recognizer": [
                "family": "moonshine", "encoder": "model", "decoder": "model", "tokens": "model", "detector": "model",
            ], "licences": ["code": ["MIT"], "weights": "MIT"], "free": true,
            "artefacts": [
                [
                    "package": "sample", "version": "1.0", "file": "sample-1.0-py3-none-any.whl",
                    "sha256": sha256("wheel"), "bytes": 5, "contents": contents,
                ] as [String: Any]
            ],
        ]
    }
}
