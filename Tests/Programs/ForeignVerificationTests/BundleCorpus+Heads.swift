import AuditExport
import Consent
import Foundation
import TestSupport

/// Keys, checkpoints and scopes.
extension BundleCorpus {
    mutating func addBrokenHeads() throws {
        try add("K1") {
            Break("no keys") { try $0.edit(BundleLayout.keys) { $0 = "\n" } }
            Break("a space") { try $0.edit(BundleLayout.keys) { $0 = " " + $0 } }
            Break("another identifier") {
                try $0.edit(BundleLayout.keys) { text in
                    let place = text.index(text.firstIndex(of: "+") ?? text.startIndex, offsetBy: 1)
                    text.replaceSubrange(place...place, with: text[place] == "0" ? "1" : "0")
                }
            }
            Break("no base64") { try $0.edit(BundleLayout.keys) { $0 = $0.replacing("\n", with: "!\n") } }
            Break("a line break of Windows") {
                try $0.edit(BundleLayout.keys) { $0 = $0.replacing("\n", with: "\r\n") }
            }
            Break("invalid keys from elsewhere") { try $0.useKeys("hello\n") }
        }
        func signed(_ text: String, _ bundle: CorpusBundle) throws {
            guard let note = try bundle.log.signer.sign(text) else { throw CocoaError(.coderInvalidValue) }
            try bundle.folder.write(note.data, to: BundleLayout.checkpoint)
            try bundle.log.sign(bundle.folder)
        }
        let root = { (bundle: CorpusBundle) in bundle.log.head.root.base64 }
        let size = { (bundle: CorpusBundle) in bundle.log.entries.count }
        let origin = BundleFixture.origin
        try add("C1") {
            Break("trailing bytes") { try $0.edit(BundleLayout.checkpoint) { $0 += "x\n" } }
            Break("no last line break") { try $0.edit(BundleLayout.checkpoint) { $0.removeLast() } }
            Break("a line break of Windows") {
                try $0.edit(BundleLayout.checkpoint) { $0 = $0.replacing("\n", with: "\r\n") }
            }
            Break("a control character") { try $0.edit(BundleLayout.checkpoint) { $0 = "\u{1}" + $0 } }
            Break("a doubled signature") {
                try $0.edit(BundleLayout.checkpoint) { text in
                    text += text.split(separator: "\n").last.map { $0 + "\n" } ?? ""
                }
            }
            Break("no signature") {
                try $0.edit(BundleLayout.checkpoint) {
                    $0 = ($0.components(separatedBy: "\n\n").first ?? "") + "\n\n"
                }
            }
            Break("another dash") { try $0.edit(BundleLayout.checkpoint, "— ", "- ") }
            Break("a name with a space of no width") { try $0.edit(BundleLayout.checkpoint, "— ", "— \u{200B}") }
            Break("a size with a zero before it") { try signed("\(origin)\n0\(size($0))\n\(root($0))\n", $0) }
            Break("a size with a sign") { try signed("\(origin)\n+\(size($0))\n\(root($0))\n", $0) }
            Break("digits of another script") { try signed("\(origin)\n\u{0661}\n\(root($0))\n", $0) }
            Break("a size that is too large") { try signed("\(origin)\n9223372036854775808\n\(root($0))\n", $0) }
            Break("a line more") { try signed("\(origin)\n\(size($0))\n\(root($0))\nmore\n", $0) }
            Break("a shorter root") { try signed("\(origin)\n\(size($0))\n\(root($0).dropLast(4))\n", $0) }
            Break("stray bits in the root") { bundle in
                let root = root(bundle)
                let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
                let last = root.dropLast().last ?? "A"
                let next = digits[digits.index(after: digits.firstIndex(of: last) ?? digits.startIndex)]
                try signed("\(origin)\n\(size(bundle))\n\(root.dropLast(2))\(next)=\n", bundle)
            }
            Break("an empty log with a root") { try signed("\(origin)\n0\n\(root($0))\n", $0) }
            Break("no origin") { try signed("\n\(size($0))\n\(root($0))\n", $0) }
        }
        try add("C2") {
            Break("another key of this name") { bundle in
                let other = try BundleFixture.signer(Self.otherSeed)
                try bundle.checkpoint(bundle.log.checkpoint(by: other))
            }
            Break("one bit of the signature") { bundle in
                try bundle.edit(BundleLayout.checkpoint) { text in
                    let place = text.index(text.endIndex, offsetBy: -20)
                    text.replaceSubrange(place...place, with: text[place] == "A" ? "B" : "A")
                }
            }
            Break("the key of another log") { bundle in
                let text = try bundle.log.checkpoint().text
                let stranger = try Self.stranger()
                try bundle.edit(BundleLayout.keys) { $0 += stranger.verifier.text + "\n" }
                guard let note = try stranger.sign(text) else { throw CocoaError(.coderInvalidValue) }
                try bundle.checkpoint(note)
            }
            Break("another log's origin, by this log's key") { bundle in
                let text = try bundle.log.checkpoint().text.replacing(origin, with: Self.strangerOrigin)
                try signed(text, bundle)
            }
            Break("keys from elsewhere of another log") { try $0.useKeys(Self.stranger().verifier.text + "\n") }
            Break("another key of the log from elsewhere") {
                try $0.useKeys(BundleFixture.signer(Self.otherSeed).verifier.text + "\n")
            }
            Break("the log's key as that of a witness") { try $0.useKeys($0.log.signer.witnessVerifier.text + "\n") }
            Break("one good and one false signature") { bundle in
                let other = try BundleFixture.signer(Self.otherSeed)
                let note = try bundle.log.checkpoint()
                guard let wrong = try other.sign("other\n")?.signatures.first, let both = note.adding(wrong)
                else {
                    throw CocoaError(.coderInvalidValue)
                }
                try bundle.edit(BundleLayout.keys) { $0 += other.verifier.text + "\n" }
                try bundle.checkpoint(both)
            }
        }
        let scope = BundleLayout.scope
        try add("S1") {
            Break("a doubled member") { try $0.edit(scope, "{", "{\"bundle\":1,") }
            Break("white space") { try $0.edit(scope, ",", ", ") }
            Break("a size with a fraction") { try $0.edit(scope, "\"size\":\(size($0))", "\"size\":\(size($0)).0") }
            Break("a size with an exponent") { try $0.edit(scope, "\"size\":\(size($0))", "\"size\":\(size($0))e0") }
            Break("a size as text") { try $0.edit(scope, "\"size\":\(size($0))", "\"size\":\"\(size($0))\"") }
            Break("a negative zero") { try $0.edit(scope, "\"size\":\(size($0))", "\"size\":-0") }
            Break("another number of the rules") { try $0.edit(scope, "\"bundle\":1", "\"bundle\":2") }
            Break("the rules as text") { try $0.edit(scope, "\"bundle\":1", "\"bundle\":true") }
            Break("no number of the rules") { try $0.edit(scope, "\"bundle\":1,", "") }
            Break("a member more") { try $0.edit(scope, "{", "{\"also\":1,") }
            Break("trailing bytes") { try $0.edit(scope) { $0 += "\n" } }
            Break("no line break") { try $0.edit(scope) { $0.removeLast() } }
            Break("an escape") { try $0.edit(scope, "\"log\"", "\"l\\u006fg\"") }
            Break("whole as number") {
                try $0.edit(scope, $0.chosen == nil ? "\"whole\":true" : "\"whole\":false", "\"whole\":1")
            }
            Break("whole and a filter, or part and none") { bundle in
                try bundle.edit(
                    scope, bundle.chosen == nil ? "true" : "false", bundle.chosen == nil ? "false" : "true")
            }
            Break("no object") { try $0.edit(scope) { $0 = "[]\n" } }
            Break("deep") { try $0.edit(scope) { $0 = String(repeating: "[", count: 20_000) + "\n" } }
        }
        try add("S2") {
            Break("another size") { try $0.edit(scope, "\"size\":\(size($0))", "\"size\":\(size($0) + 1)") }
            Break("another log") { try $0.edit(scope, origin, Self.strangerOrigin) }
        }
    }
}
