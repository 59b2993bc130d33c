import Consent
import Foundation
import Synchronization

/// All leaves of a Merkle tree in memory, with every root of a part worked out as RFC 6962, section 2.1 words it.
public final class MemoryTree: Sendable {
    public let leaves: [MerkleHash]
    private let known = Mutex<[Range<Int>: MerkleHash]>([:])

    public init(leaves: [Data]) { self.leaves = leaves.map(MerkleHash.leaf) }

    public func head(_ size: Int) -> TreeHead { TreeHead(size: UInt64(size), root: root(of: 0..<size)) }

    public func root(of part: Range<Int>) -> MerkleHash {
        if part.isEmpty { return .empty }
        if part.count == 1 { return leaves[part.lowerBound] }
        if let root = known.withLock({ $0[part] }) { return root }
        var half = 1
        while half * 2 < part.count { half *= 2 }
        let middle = part.lowerBound + half
        let root = MerkleHash.node(root(of: part.lowerBound..<middle), root(of: middle..<part.upperBound))
        known.withLock { $0[part] = root }
        return root
    }

    public func inclusion(of index: Int, in size: Int) -> InclusionProof? {
        guard let plan = ProofPlan.inclusion(of: UInt64(index), in: UInt64(size)) else { return nil }
        return InclusionProof(index: UInt64(index), size: UInt64(size), hashes: plan.map(root))
    }

    public func consistency(from: Int, to: Int) -> ConsistencyProof? {
        guard let plan = ProofPlan.consistency(from: UInt64(from), to: UInt64(to)) else { return nil }
        return ConsistencyProof(from: UInt64(from), to: UInt64(to), hashes: plan.map(root))
    }

    public func proof(of subtree: Range<Int>, in size: Int) -> SubtreeProof? {
        let subtree = UInt64(subtree.lowerBound)..<UInt64(subtree.upperBound)
        guard let plan = ProofPlan.subtree(subtree, in: UInt64(size)) else { return nil }
        return SubtreeProof(of: subtree, in: UInt64(size), hashes: plan.map(root))
    }

    private func root(_ part: Range<UInt64>) -> MerkleHash { root(of: Int(part.lowerBound)..<Int(part.upperBound)) }
}
