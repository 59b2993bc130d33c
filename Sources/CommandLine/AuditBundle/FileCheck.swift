import Consent
import Crypto
import Foundation

/// Checks the files of a bundle: `SHA256SUMS` against the hash in `SHA256SUMS.note`, each file against its hash in
/// `SHA256SUMS`, and that there is no other file.
struct FileCheck {
    let folder: BundleFolder
    let origin: String
    let keys: [NoteVerifier]

    /// - Returns: the number of files in the list.
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
        var lines = BundleLines(file: try folder.open(BundleLayout.sums), limit: BundleLayout.maximumSumsLine)
        var count = 0
        while let line = try lines.next() {
            count += 1
            guard let sum = BundleSum(line: line) else {
                throw BundleProblem(.malformed, file: BundleLayout.sums, "line \(count) is malformed")
            }
            guard BundleLayout.isSafe(sum.path), !BundleLayout.unlisted.contains(sum.path) else {
                throw BundleProblem(
                    .unsafeFile, file: BundleLayout.sums, "line \(count) has a path that is not allowed")
            }
            try body(sum)
        }
        return count
    }

    /// Finds the first difference by reading the list again, because `run` keeps no paths.
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
            return BundleProblem(.fileUnexpected, file: stray, "it is not in \(BundleLayout.sums)")
        }
        return BundleProblem(.malformed, file: BundleLayout.sums, "it lists \(doubled ?? "a file") twice")
    }

    private func checkSignature() throws(BundleProblem) {
        let path = BundleLayout.sumsNote
        let data = try folder.open(path).contents(limit: SignedNote.maximumSize)
        guard let note = SignedNote(data) else {
            throw BundleProblem(.malformed, file: path, "it is not a signed note")
        }
        guard !note.signers(among: keys.filter { $0.name == origin && $0.algorithm == .ed25519 }).isEmpty else {
            throw BundleProblem(.signatureWrong, file: path, "it has no valid signature by a key of the log \(origin)")
        }
        let lines = note.text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.count == 3, lines[2].isEmpty, lines[0].elementsEqual((origin + BundleLayout.sumsSuffix).utf8),
            let digest = BundleSum.digest(of: lines[1])
        else { throw BundleProblem(.malformed, file: path, "it is not a list of files of a bundle of \(origin)") }
        guard try folder.open(BundleLayout.sums).digest() == digest else {
            throw BundleProblem(.fileAltered, file: BundleLayout.sums, "it differs from the signed list of files")
        }
    }

    private func check(_ sum: BundleSum) throws(BundleProblem) {
        guard try folder.open(sum.path).digest() == sum.digest else {
            throw BundleProblem(.fileAltered, file: sum.path, "it differs from the signed file")
        }
        let parts = sum.path.split(separator: "/")
        guard parts.count == 2, parts[0] == BundleLayout.noticesFolder else { return }
        // Records refer to a notice by its hash, which is its file name.
        guard BundleSum.digest(of: parts[1].utf8.prefix(64)) == sum.digest, parts[1].utf8.count == 68 else {
            throw BundleProblem(.fileAltered, file: sum.path, "its name is not the SHA-256 of its text")
        }
    }
}
