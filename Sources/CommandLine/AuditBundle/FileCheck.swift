import Consent
import Crypto
import Foundation

/// Checks that the files of a bundle are those that were signed: `SHA256SUMS` has the hash in `SHA256SUMS.note`, each
/// file has the hash in `SHA256SUMS`, and there is no other file.
struct FileCheck {
    let folder: BundleFolder
    let origin: String
    let keys: [NoteVerifier]

    /// - Returns: how many files the list has.
    func run() throws(BundleProblem) -> Int {
        try checkSignature()
        let key = SymmetricKey(size: .bits256)
        var listed = PathFingerprint(key: key)
        let count = try forEachSum { sum throws(BundleProblem) in
            try check(sum)
            listed.add(sum.path)
        }
        var present = PathFingerprint(key: key)
        try folder.forEachFile { path in
            if !BundleLayout.unlisted.contains(path) { present.add(path) }
        }
        if listed != present { throw try unexpectedFile() }
        return count
    }

    private func forEachSum(_ body: (BundleSum) throws(BundleProblem) -> Void) throws(BundleProblem) -> Int {
        var lines = BundleLines(try folder.open(BundleLayout.sums), limit: BundleLayout.maximumSumsLine)
        var count = 0
        while let line = try lines.next() {
            count += 1
            guard let sum = BundleSum(line: line) else {
                throw BundleProblem(.malformed, file: BundleLayout.sums, "line \(count) is no hash of a file")
            }
            guard BundleLayout.isSafe(sum.path), !BundleLayout.unlisted.contains(sum.path) else {
                throw BundleProblem(
                    .unsafeFile, file: BundleLayout.sums, "line \(count) names a file that it must not name")
            }
            try body(sum)
        }
        return count
    }

    /// Names the first file that makes the difference; reads everything again, because nothing was remembered.
    private func unexpectedFile() throws(BundleProblem) -> BundleProblem {
        var listed: Set<String> = []
        var doubled: String?
        _ = try forEachSum { sum throws(BundleProblem) in
            if !listed.insert(sum.path).inserted { doubled = doubled ?? sum.path }
        }
        var stray: String?
        try folder.forEachFile { path in
            if !listed.contains(path), !BundleLayout.unlisted.contains(path) { stray = min(stray ?? path, path) }
        }
        if let stray {
            return BundleProblem(
                .fileUnexpected, file: stray, "it is not in \(BundleLayout.sums), so nobody vouches for it")
        }
        return BundleProblem(.malformed, file: BundleLayout.sums, "it names \(doubled ?? "a file") twice")
    }

    private func checkSignature() throws(BundleProblem) {
        let path = BundleLayout.sumsNote
        let data = try folder.open(path).contents(limit: SignedNote.maximumSize)
        guard let note = SignedNote(data) else { throw BundleProblem(.malformed, file: path, "it is no signed note") }
        guard !note.signers(among: keys.filter { $0.name == origin && $0.algorithm == .ed25519 }).isEmpty else {
            throw BundleProblem(.signatureWrong, file: path, "no key of the log \(origin) signed it as it is here")
        }
        let lines = note.text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.count == 3, lines[2].isEmpty, lines[0].elementsEqual((origin + BundleLayout.sumsSuffix).utf8),
            let digest = BundleSum.digest(of: lines[1])
        else { throw BundleProblem(.malformed, file: path, "it is not about the files of a bundle of \(origin)") }
        guard try folder.open(BundleLayout.sums).digest() == digest else {
            throw BundleProblem(.fileAltered, file: BundleLayout.sums, "it is not the list of files that was signed")
        }
    }

    private func check(_ sum: BundleSum) throws(BundleProblem) {
        guard try folder.open(sum.path).digest() == sum.digest else {
            throw BundleProblem(.fileAltered, file: sum.path, "it is not the file that was signed")
        }
        let parts = sum.path.split(separator: "/")
        guard parts.count == 2, parts[0] == BundleLayout.noticesFolder else { return }
        // A notice is named by its hash, by which records refer to it.
        guard BundleSum.digest(of: parts[1].utf8.prefix(64)) == sum.digest, parts[1].utf8.count == 68 else {
            throw BundleProblem(.fileAltered, file: sum.path, "a notice's name is the SHA-256 of its text")
        }
    }
}
