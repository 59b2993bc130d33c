import Consent
import Foundation
import TestSupport
import Testing

struct MerkleTests {
    /// RFC 6962, section 2.1, word for word.
    private static func root(of leaves: ArraySlice<Data>) -> MerkleHash {
        guard let first = leaves.first else { return .empty }
        guard leaves.count > 1 else { return .leaf(first) }
        var half = 1
        while half * 2 < leaves.count { half *= 2 }
        let middle = leaves.startIndex + half
        return .node(root(of: leaves[..<middle]), root(of: leaves[middle...]))
    }

    @Test("the frontier's root is RFC 6962's, for every size up to 256")
    func everySize() {
        var frontier = Frontier()
        var leaves: [Data] = []
        #expect(frontier.root == .empty)
        for size in 1...256 {
            let leaf = Data("leaf \(size)".utf8)
            leaves.append(leaf)
            frontier.append(leaf: leaf)
            #expect(frontier.root == Self.root(of: leaves[...]))
            #expect(frontier.subtrees.count == size.nonzeroBitCount)
        }
    }

    @Test("the published eight leaves have the published root")
    func vector() {
        let leaves: [[UInt8]] = [
            [], [0x00], [0x10], [0x20, 0x21], [0x30, 0x31], [0x40, 0x41, 0x42, 0x43], Array(0x50...0x57),
            Array(0x60...0x6F),
        ]
        var frontier = Frontier()
        for leaf in leaves { frontier.append(leaf: Data(leaf)) }
        #expect(frontier.head.size == 8)
        #expect(frontier.root.base64 == "XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=")
    }

    @Test("a frontier is read back from its bytes, and only with the size it has")
    func bytes() {
        var frontier = Frontier()
        for leaf in 0..<13 { frontier.append(leaf: Data([UInt8(leaf)])) }
        #expect(Frontier(size: 13, bytes: frontier.bytes) == frontier)
        #expect(Frontier(size: 12, bytes: frontier.bytes) == nil)
        #expect(Frontier(size: 13, bytes: frontier.bytes.dropLast()) == nil)
    }
}

struct MerkleProofTests {
    private static let most = 256
    private static let tree = MemoryTree(leaves: (0..<most).map { Data("leaf \($0)".utf8) })
    private static let stranger = MerkleHash.leaf(Data("none of them".utf8))

    /// RFC 6962, section 2.1.1, word for word.
    private func path(_ index: Int, _ part: Range<Int>) -> [MerkleHash] {
        guard part.count > 1 else { return [] }
        let half = half(part.count)
        let middle = part.lowerBound + half
        return index < half
            ? path(index, part.lowerBound..<middle) + [Self.tree.root(of: middle..<part.upperBound)]
            : path(index - half, middle..<part.upperBound) + [Self.tree.root(of: part.lowerBound..<middle)]
    }

    /// RFC 6962, section 2.1.2, word for word.
    private func subproof(_ first: Int, _ part: Range<Int>, isWhole: Bool) -> [MerkleHash] {
        if first == part.count { return isWhole ? [] : [Self.tree.root(of: part)] }
        let half = half(part.count)
        let middle = part.lowerBound + half
        return first <= half
            ? subproof(first, part.lowerBound..<middle, isWhole: isWhole)
                + [Self.tree.root(of: middle..<part.upperBound)]
            : subproof(first - half, middle..<part.upperBound, isWhole: false)
                + [Self.tree.root(of: part.lowerBound..<middle)]
    }

    private func half(_ count: Int) -> Int {
        var half = 1
        while half * 2 < count { half *= 2 }
        return half
    }

    @Test("each leaf of each tree of up to 256 leaves is proven by RFC 6962's path, and by no leaf's beside it")
    func everyInclusion() throws {
        for size in 1...Self.most {
            let head = Self.tree.head(size)
            for index in 0..<size {
                let proof = try #require(Self.tree.inclusion(of: index, in: size))
                #expect(proof.hashes == path(index, 0..<size))
                #expect(proof.proves(Self.tree.leaves[index], in: head))
                if size > 1 { #expect(!proof.proves(Self.tree.leaves[(index + 1) % size], in: head)) }
            }
        }
    }

    @Test("each tree of up to 256 leaves is proven to begin with each smaller one, by RFC 6962's proof")
    func everyConsistency() throws {
        for later in 0...Self.most {
            for earlier in 0...later {
                let proof = try #require(Self.tree.consistency(from: earlier, to: later))
                let expected = earlier == 0 ? [] : subproof(earlier, 0..<later, isWhole: true)
                #expect(proof.hashes == expected)
                #expect(proof.proves(Self.tree.head(earlier), isBeginningOf: Self.tree.head(later)))
                let other = TreeHead(size: UInt64(earlier), root: Self.stranger)
                #expect(!proof.proves(other, isBeginningOf: Self.tree.head(later)))
            }
        }
    }

    @Test("ranges of a plan are complete subtrees unless they end where the tree ends")
    func plans() throws {
        for size in 1...UInt64(Self.most) {
            for index in 0..<size {
                let ranges =
                    try #require(ProofPlan.inclusion(of: index, in: size))
                    + #require(ProofPlan.consistency(from: index, to: size))
                for range in ranges where range.upperBound != size {
                    let count = range.upperBound - range.lowerBound
                    #expect(count.nonzeroBitCount == 1 && range.lowerBound % count == 0)
                }
            }
        }
    }

    @Test(
        "one flipped bit in any hash of a proof, its root or its leaf is found", arguments: [1, 2, 7, 8, 13, 64, 100])
    func flippedBits(size: Int) throws {
        let head = Self.tree.head(size)
        for index in Set([0, size / 2, size - 1]) {
            let proof = try #require(Self.tree.inclusion(of: index, in: size))
            let leaf = Self.tree.leaves[index]
            for flipped in Self.flips(proof.hashes) {
                let altered = try #require(InclusionProof(index: proof.index, size: proof.size, hashes: flipped))
                #expect(!altered.proves(leaf, in: head))
            }
            for flipped in Self.flips([leaf]) { #expect(!proof.proves(flipped[0], in: head)) }
            for flipped in Self.flips([head.root]) {
                #expect(!proof.proves(leaf, in: TreeHead(size: head.size, root: flipped[0])))
            }
        }
        for earlier in Set([1, size / 2, size - 1]) where earlier > 0 {
            let proof = try #require(Self.tree.consistency(from: earlier, to: size))
            for flipped in Self.flips(proof.hashes) {
                let altered = try #require(ConsistencyProof(from: proof.from, to: proof.to, hashes: flipped))
                #expect(!altered.proves(Self.tree.head(earlier), isBeginningOf: head))
            }
        }
    }

    @Test("a proof with a hash too many or too few, or for another place or size, proves nothing")
    func otherShapes() throws {
        for size in 2...33 {
            for index in 0..<size {
                let proof = try #require(Self.tree.inclusion(of: index, in: size))
                let number = (UInt64(index), UInt64(size))
                #expect(InclusionProof(index: number.0, size: number.1, hashes: proof.hashes.dropLast()) == nil)
                #expect(InclusionProof(index: number.0, size: number.1, hashes: proof.hashes + [Self.stranger]) == nil)
                for other in 0..<size where other != index {
                    let moved = InclusionProof(index: UInt64(other), size: number.1, hashes: proof.hashes)
                    #expect(moved?.proves(Self.tree.leaves[index], in: Self.tree.head(size)) != true)
                }
            }
            for earlier in 1..<size {
                let hashes = try #require(Self.tree.consistency(from: earlier, to: size)).hashes
                let wrongs: [[MerkleHash]] = [
                    Array(hashes.dropLast()), hashes + [Self.stranger], [Self.stranger] + hashes,
                ]
                for wrong in wrongs {
                    let altered = ConsistencyProof(from: UInt64(earlier), to: UInt64(size), hashes: wrong)
                    #expect(altered?.proves(Self.tree.head(earlier), isBeginningOf: Self.tree.head(size)) != true)
                }
            }
        }
        #expect(InclusionProof(index: 5, size: 5, hashes: []) == nil)
        #expect(InclusionProof(index: 0, size: 0, hashes: []) == nil)
        #expect(ConsistencyProof(from: 6, to: 5, hashes: []) == nil)
        #expect(ConsistencyProof(from: 1, to: 5, hashes: Array(repeating: Self.stranger, count: 66)) == nil)
    }

    @Test("the largest trees that a size can name need no more than 65 hashes and do not overflow")
    func largestTrees() throws {
        let sizes: [UInt64] = [.max, 1 << 63, (1 << 63) - 1]
        for size in sizes {
            for index in [0, size / 2, size - 1] {
                let plan = try #require(ProofPlan.inclusion(of: index, in: size))
                #expect(plan.count <= 64)
                let hashes = Array(repeating: Self.stranger, count: plan.count)
                let proof = try #require(InclusionProof(index: index, size: size, hashes: hashes))
                #expect(proof.root(of: Self.stranger) != nil)
            }
            let plan = try #require(ProofPlan.consistency(from: size / 3, to: size))
            #expect((1...65).contains(plan.count))
        }
        #expect(ProofPlan.inclusion(of: 4, in: 4) == nil)
        #expect(ProofPlan.consistency(from: 5, to: 4) == nil)
    }

    /// The hashes with one bit of one byte flipped, for each byte of each.
    private static func flips(_ hashes: [MerkleHash]) -> [[MerkleHash]] {
        hashes.indices.flatMap { position in
            (0..<MerkleHash.size).compactMap { byte in
                var bytes = Data(hashes[position].bytes)
                bytes[byte] ^= 1 << UInt8((byte + position) % 8)
                return MerkleHash(bytes: bytes).map { flipped in
                    hashes.enumerated().map { $0.offset == position ? flipped : $0.element }
                }
            }
        }
    }
}

struct PublishedVectorTests {
    private let tree = MemoryTree(leaves: PublishedVector.leaves)

    private func signer() throws -> NoteSigner {
        try #require(NoteSigner(name: PublishedVector.origin, seed: PublishedVector.seed))
    }

    @Test("the published seed has the published verifier key")
    func key() throws {
        let signer = try signer()
        #expect(signer.verifier.text == PublishedVector.verifier)
        #expect(NoteVerifier(text: PublishedVector.verifier) == signer.verifier)
        #expect(NoteSigner(secretText: signer.secretText)?.verifier == signer.verifier)
        #expect(!"\(signer)".contains(signer.secretText.suffix(44)))
    }

    @Test("the checkpoint of the eight leaves, signed, is the published one byte for byte")
    func checkpoint() throws {
        let checkpoint = try #require(Checkpoint(origin: PublishedVector.origin, head: tree.head(8)))
        let note = try #require(try signer().sign(checkpoint.text))
        #expect(note.data == Data(PublishedVector.checkpoint.utf8))
        #expect(SignedNote(note.data) == note)
        #expect(Checkpoint(note, signedBy: [try signer().verifier]) == checkpoint)
    }

    @Test("the proof of leaf 5 is the published one byte for byte, and proves that leaf alone")
    func inclusion() throws {
        let note = try #require(SignedNote(Data(PublishedVector.checkpoint.utf8)))
        let proof = try #require(tree.inclusion(of: 5, in: 8).flatMap { OfflineProof($0, in: note) })
        #expect(proof.data == Data(PublishedVector.proofOfLeaf5.utf8))
        #expect(OfflineProof(proof.data) == proof)
        let keys = [try signer().verifier]
        for (index, leaf) in tree.leaves.enumerated() { #expect(proof.proves(leaf, signedBy: keys) == (index == 5)) }
        #expect(!proof.proves(tree.leaves[5], signedBy: []))
    }

    @Test("the proof that the tree of 3 is the beginning of that of 8 is the published one")
    func consistency() throws {
        let proof = try #require(tree.consistency(from: 3, to: 8))
        #expect(proof.hashes.map(\.base64) == PublishedVector.consistencyFrom3To8)
        #expect(tree.head(3).root.base64 == PublishedVector.rootOf3)
        #expect(proof.proves(tree.head(3), isBeginningOf: tree.head(8)))
    }
}
