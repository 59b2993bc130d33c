import Consent
import Foundation
import TestSupport
import Testing

struct SubtreeProofTests {
    private static let most = 70
    private static let tree = MemoryTree(leaves: (0..<most).map { Data("leaf \($0)".utf8) })
    private static let stranger = MerkleHash.leaf(Data("none of them".utf8))

    /// The draft's "Definition of a Subtree": start is a multiple of BIT_CEIL(end - start).
    private static func subtrees(of size: Int) -> [Range<Int>] {
        (0..<size).flatMap { start in
            (start + 1...size).map { start..<$0 }.filter { range in
                var ceiling = 1
                while ceiling < range.count { ceiling *= 2 }
                return range.lowerBound % ceiling == 0
            }
        }
    }

    /// The draft's SUBTREE_SUBPROOF(start, end, D[part], b), word for word.
    private func subproof(_ start: Int, _ end: Int, _ part: Range<Int>, isKnown: Bool) -> [MerkleHash] {
        if start == 0, end == part.count { return isKnown ? [] : [Self.tree.root(of: part)] }
        var half = 1
        while half * 2 < part.count { half *= 2 }
        let (left, right) = (part.lowerBound..<part.lowerBound + half, part.lowerBound + half..<part.upperBound)
        if end <= half { return subproof(start, end, left, isKnown: isKnown) + [Self.tree.root(of: right)] }
        if half <= start {
            return subproof(start - half, end - half, right, isKnown: isKnown) + [Self.tree.root(of: left)]
        }
        return subproof(0, end - half, right, isKnown: false) + [Self.tree.root(of: left)]
    }

    @Test("each subtree of each tree of up to 70 leaves is proven by the draft's proof, and by no other root or place")
    func everySubtree() throws {
        for size in 1...Self.most {
            let head = Self.tree.head(size)
            for subtree in Self.subtrees(of: size) {
                let proof = try #require(Self.tree.proof(of: subtree, in: size))
                #expect(proof.hashes == subproof(subtree.lowerBound, subtree.upperBound, 0..<size, isKnown: true))
                let root = Self.tree.root(of: subtree)
                #expect(proof.proves(root, in: head), "\(subtree) of \(size)")
                #expect(!proof.proves(Self.stranger, in: head))
                #expect(!proof.proves(root, in: TreeHead(size: head.size, root: Self.stranger)))
                if size < Self.most { #expect(!proof.proves(root, in: Self.tree.head(size + 1))) }
            }
        }
    }

    @Test("a subtree that begins at 0 has the proof of RFC 6962's consistency")
    func wholeTrees() throws {
        for size in 1...Self.most {
            for earlier in 1...size {
                let proof = try #require(Self.tree.proof(of: 0..<earlier, in: size))
                #expect(proof.hashes == Self.tree.consistency(from: earlier, to: size)?.hashes)
            }
        }
    }

    @Test("a range that is not a subtree has no proof")
    func otherRanges() {
        for start in 0..<20 as Range<Int> {
            for end in start...20 {
                let isSubtree = Self.subtrees(of: 20).contains(start..<end)
                #expect(ProofPlan.isSubtree(UInt64(start)..<UInt64(end)) == isSubtree)
                #expect((Self.tree.proof(of: start..<end, in: 20) != nil) == isSubtree)
            }
        }
        #expect(Self.tree.proof(of: 0..<21, in: 20) == nil)
    }

    @Test("a proof with one bit flipped in any byte, a hash too many or too few, or in another order proves nothing")
    func altered() throws {
        let size = 29
        for subtree in Self.subtrees(of: size) {
            let proof = try #require(Self.tree.proof(of: subtree, in: size))
            let root = Self.tree.root(of: subtree)
            func proves(_ hashes: [MerkleHash]) -> Bool {
                SubtreeProof(of: proof.subtree, in: proof.size, hashes: hashes)?
                    .proves(root, in: Self.tree.head(size)) ?? false
            }
            for place in proof.hashes.indices {
                for byte in 0..<MerkleHash.size {
                    var bytes = proof.hashes[place].bytes
                    bytes[byte] ^= 1 << UInt8((place + byte) % 8)
                    var hashes = proof.hashes
                    hashes[place] = try #require(MerkleHash(bytes: bytes))
                    #expect(!proves(hashes))
                }
            }
            #expect(!proves(proof.hashes + [Self.stranger]))
            if !proof.hashes.isEmpty { #expect(!proves(proof.hashes.dropLast())) }
            if proof.hashes.count > 1 { #expect(!proves(proof.hashes.reversed())) }
        }
    }

    @Test("the largest trees need no more than 63 hashes for a package, and do not overflow")
    func largestTrees() throws {
        let sizes: [UInt64] = [(1 << 63) - 1, 1 << 62, (1 << 62) + 1]
        for size in sizes {
            let starts: [UInt64] = [0, size / 512 * 256, (size - 1) / 256 * 256]
            for start in starts {
                let subtree = start..<min(size, start + 256)
                let plan = try #require(ProofPlan.subtree(subtree, in: size))
                #expect(plan.count <= SubtreeProof.maximumLength)
                let hashes = Array(repeating: Self.stranger, count: plan.count)
                let proof = try #require(SubtreeProof(of: subtree, in: size, hashes: hashes))
                #expect(!proof.proves(Self.stranger, in: TreeHead(size: size, root: .empty)))
            }
        }
        let most = try #require(ProofPlan.subtree(0..<3, in: .max))
        #expect(most.count <= 65)
        #expect(ProofPlan.isSubtree(0..<UInt64.max))
        #expect(!ProofPlan.isSubtree(1..<UInt64.max))
    }
}
