import AuditExport
import Consent
import Cryptography
import Foundation

/// Checks the files of a bundle: `SHA256SUMS` against the hash in `SHA256SUMS.note`, each file against its hash in
/// `SHA256SUMS`, and that there is no other file.
struct FileCheck {
    private let folder: BundleFolder
    private let head: ExportTrust
    private let history: KeyChanges
    private let isWhole: Bool
    private let isSigned: Bool
    private let notices: Set<String>
    private let derived: [String: String]
    /// The number of files in the list.
    private(set) var count = 0
    /// The first file that is not what the records give.
    private(set) var derivedProblem: BundleProblem?

    /// - Parameter records: all were checked.
    init(folder: BundleFolder, head: ExportTrust, records: RecordCheck) {
        self.folder = folder
        self.head = head
        history = records.history
        isWhole = records.isWhole
        isSigned = records.isSigned
        notices = records.derived.notices
        var made = records.derived
        derived = made.digests()
    }

    mutating func run() throws(BundleProblem) {
        try checkConsistencyFiles()
        try checkNotices()
        if isSigned { try checkSignature() }
        let key = SymmetricKey()
        var present = PathFingerprint(key: key)
        try folder.forEachFile { path throws(BundleProblem) in
            if !BundleLayout.unlisted.contains(path) { present.add(path) }
        }
        var listed = PathFingerprint(key: key)
        try forEachSum { sum throws(BundleProblem) in listed.add(sum.path) }
        if listed != present { throw try difference() }
        var count = 0
        var problem: BundleProblem?
        try forEachSum { sum throws(BundleProblem) in
            count += 1
            guard try folder.open(sum.path).digest() == sum.digest else {
                throw BundleProblem(.digests, file: sum.path, "it differs from the list of files")
            }
            if problem == nil, let expected = derived[sum.path], expected != sum.digest {
                problem = BundleProblem(.derived, file: sum.path, "it does not say what the records say")
            }
        }
        self.count = count
        derivedProblem = problem
    }

    private func checkConsistencyFiles() throws(BundleProblem) {
        try folder.forEachFile { path throws(BundleProblem) in
            guard BundleLayout.folder(of: path) == .consistency else { return }
            guard let request = WitnessRequest(try folder.open(path).contents(), in: head.note),
                BundleLayout.consistency(from: request.proof.from) == path
            else {
                throw BundleProblem(
                    .consistency, file: path, "it is not a consistency proof for the bundle's checkpoint")
            }
        }
    }

    /// Records refer to a notice by its hash, which is its file name.
    private func checkNotices() throws(BundleProblem) {
        var missing = notices
        try folder.forEachFile { path throws(BundleProblem) in
            guard BundleLayout.folder(of: path) == .notices else { return }
            guard missing.remove(path) != nil, BundleLayout.notice(try folder.open(path).digest()) == path else {
                throw BundleProblem(.notices, file: path, "it is not the text of a notice in the records")
            }
        }
        if let first = missing.min() { throw BundleProblem(.notices, file: first, "the notice is missing") }
    }

    private func forEachSum(_ body: (BundleSum) throws(BundleProblem) -> Void) throws(BundleProblem) {
        var lines = BundleLines(
            file: try folder.open(BundleLayout.sums), limit: BundleLayout.maximumSumsLine, rule: .listLines)
        var number = 0
        while let line = try lines.next() {
            number += 1
            guard let sum = BundleSum(line: line.dropLast()), BundleLayout.isFile(sum.path),
                !BundleLayout.unlisted.contains(sum.path)
            else { throw BundleProblem(.listLines, file: BundleLayout.sums, "line \(number) is malformed") }
            try body(sum)
        }
    }

    /// Finds the first difference by reading the list again, because `run` keeps no paths.
    private func difference() throws(BundleProblem) -> BundleProblem {
        var listed: Set<String> = []
        var doubled: String?
        try forEachSum { sum throws(BundleProblem) in
            if !listed.insert(sum.path).inserted { doubled = doubled ?? sum.path }
        }
        if let doubled {
            return BundleProblem(.listLines, file: BundleLayout.sums, "it lists \(doubled) twice")
        }
        var stray: String?
        try folder.forEachFile { path throws(BundleProblem) in
            if listed.remove(path) == nil, !BundleLayout.unlisted.contains(path) { stray = min(stray ?? path, path) }
        }
        if let stray { return BundleProblem(.listed, file: stray, "it is not in \(BundleLayout.sums)") }
        return BundleProblem(.listed, file: listed.min(), "the file is missing")
    }

    private func checkSignature() throws(BundleProblem) {
        let path = BundleLayout.sumsNote
        let origin = head.checkpoint.origin
        let note = try BundleVerifier.note(folder, path, .list)
        let lines = note.text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.count == 3, lines[2].isEmpty, lines[0].elementsEqual((origin + BundleLayout.sumsSuffix).utf8),
            BundleLayout.isDigest(lines[1])
        else { throw BundleProblem(.list, file: path, "it is not a list of files of a bundle of \(origin)") }
        let signers = note.signers(among: head.logKeys)
        try require(
            !signers.isEmpty, .listSigned, file: path, "it has no valid signature by a key of the log \(origin)")
        guard history.admits(signers, at: head.checkpoint.size, knowsAll: isWhole) else {
            throw BundleProblem(.currentKey, file: path, "the records say that its key had been replaced")
        }
        guard try folder.open(BundleLayout.sums).digest().utf8.elementsEqual(lines[1]) else {
            throw BundleProblem(.listDigest, file: BundleLayout.sums, "it differs from the signed list of files")
        }
    }
}
