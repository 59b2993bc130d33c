import Consent
import Foundation
import TestSupport
import Testing

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
                #expect(
                    InclusionProof(index: number.0, size: number.1, hashes: proof.hashes + [Self.stranger]) == nil)
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
        #expect(
            ConsistencyProof(from: 1, to: 5, hashes: Array(repeating: Self.stranger, count: 66)) == nil)
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
