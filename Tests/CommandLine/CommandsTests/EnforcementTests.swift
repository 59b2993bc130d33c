import Foundation
import SocketAPI
import TestSupport
import Testing

@testable import Commands

@Suite("The doctor's look at what is enforced")
struct EnforcementTests {
    private static let node = CaptureNode(
        path: "/dev/snd/pcmC0D0c", owner: 0, group: 990, mode: 0o660, accessList: AccessList(bytes: []),
        isTaggedUaccess: false, readers: [])

    private static let whole = EnforcementFacts(
        group: EnforcementFacts.ServiceGroup(identifier: 990, members: []), nodes: [node], hasUdevRule: true,
        hasPolkitAction: true, hasPkcheck: true,
        socketFolder: FolderFact(path: "/run/voicegate", owner: 0, mode: 0o755), socketOwner: 0, isSocketEnabled: true)

    private func verdicts(_ change: (inout EnforcementFacts) -> Void = { _ in }) -> [String: Finding.Verdict] {
        var enforcement = Self.whole
        change(&enforcement)
        let facts = Facts(
            user: 1000, now: Date(), timeZone: .gmt, version: "1", service: .notRunning,
            socketFolder: enforcement.socketFolder, captureUse: CaptureUse(nodes: [], holders: [], hidden: 0),
            enforcement: enforcement)
        let findings = Check.enforcement.look(facts)
        #expect(findings.filter { $0.verdict == .attention }.allSatisfy { $0.nextStep?.isEmpty == false })
        return Dictionary(findings.map { ($0.check, $0.verdict) }, uniquingKeysWith: { first, _ in first })
    }

    private func node(_ change: (CaptureNode) -> CaptureNode) -> [String: Finding.Verdict] {
        verdicts { $0.nodes = [change(Self.node)] }
    }

    private static func with(
        owner: UInt32 = 0, group: UInt32 = 990, mode: UInt32 = 0o660, list: AccessList? = AccessList(bytes: []),
        tag: Bool? = false, readers: [String]? = []
    ) -> CaptureNode {
        CaptureNode(
            path: node.path, owner: owner, group: group, mode: mode, accessList: list, isTaggedUaccess: tag,
            readers: readers)
    }

    @Test("where everything is in place nothing needs attention, and nothing is unknown")
    func whole() {
        let all = verdicts()
        #expect(Set(all.keys) == ["udevRule", "nodes", "group", "socket", "polkitAction", "units"])
        #expect(all.values.allSatisfy { $0 == .well })
    }

    @Test("each thing that is missing is found, and no other")
    func missing() {
        func broken(_ change: (inout EnforcementFacts) -> Void) -> Set<String> {
            Set(verdicts(change).filter { $0.value == .attention }.keys)
        }
        #expect(broken { $0.hasUdevRule = false } == ["udevRule"])
        #expect(broken { $0.group = nil } == ["group", "nodes"])
        #expect(broken { $0.group = .init(identifier: 990, members: ["bob"]) } == ["group"])
        #expect(broken { $0.hasPolkitAction = false } == ["polkitAction"])
        #expect(broken { $0.isSocketEnabled = false } == ["units"])
        #expect(broken { $0.socketOwner = nil } == ["socket"])
        #expect(broken { $0.socketOwner = 1000 } == ["socket"])
        #expect(broken { $0.socketFolder = FolderFact(path: "/run/voicegate", owner: 0, mode: 0o777) } == ["socket"])
        #expect(verdicts { $0.hasPkcheck = false }["polkitAction"] == .note)
        #expect(verdicts { $0.isSocketEnabled = nil }["units"] == .unknown)
    }

    @Test("a device that somebody else can open is found by each way there is, and what cannot be seen is unknown")
    func nodes() throws {
        let list = try #require(AccessList(bytes: Self.list([(2, 6, 1000), (16, 7, .max)])))
        #expect(node { _ in Self.with(owner: 1000) }["nodes"] == .attention)
        #expect(node { _ in Self.with(group: 29) }["nodes"] == .attention)
        #expect(node { _ in Self.with(mode: 0o664) }["nodes"] == .attention)
        #expect(node { _ in Self.with(list: list) }["acl"] == .attention)
        #expect(node { _ in Self.with(list: nil) }["acl"] == .unknown)
        #expect(node { _ in Self.with(tag: true) }["uaccess"] == .attention)
        #expect(node { _ in Self.with(tag: nil) }["uaccess"] == .unknown)
        #expect(node { _ in Self.with(readers: ["bob"]) }["users"] == .attention)
        #expect(node { _ in Self.with(readers: nil) }["users"] == .unknown)
    }

    /// linux/posix_acl_xattr.h
    private static func list(_ entries: [(UInt16, UInt16, UInt32)], version: UInt32 = 2) -> [UInt8] {
        func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        return bytes(version) + entries.flatMap { bytes($0.0) + bytes($0.1) + bytes($0.2) }
    }

    @Test("an access list names who may read; the mask bounds that, and owner, group and others are no names")
    func accessLists() throws {
        let entries: [(UInt16, UInt16, UInt32)] = [
            (1, 6, .max), (2, 6, 1000), (2, 2, 1001), (4, 6, .max), (8, 4, 29), (16, 6, .max), (32, 0, .max),
        ]
        let found = try #require(AccessList(bytes: Self.list(entries)))
        #expect(found.readers.map(\.identifier) == [1000, 29])
        #expect(found.readers.map(\.kind) == [.user, .group])
        let masked = try #require(AccessList(bytes: Self.list([(2, 6, 1000), (16, 2, .max)])))
        #expect(masked.readers.isEmpty)
    }

    @Test("what is no access list is none, at whatever length it is cut off")
    func malformed() {
        let whole = Self.list([(1, 6, .max), (2, 6, 1000), (16, 6, .max)])
        for length in 1..<whole.count where length % 8 != 4 {
            #expect(AccessList(bytes: whole.prefix(length)) == nil, "\(length)")
        }
        #expect(AccessList(bytes: Self.list([], version: 3)) == nil)
        #expect(AccessList(bytes: [UInt8]()) != nil)
    }
}
