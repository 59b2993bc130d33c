import Consent
import Foundation
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
