import Foundation
import TestSupport
import Testing

@testable import Consent

struct EntryPackageTests {
    private static let entries = (0..<520).map { Data("entry \($0)".utf8) }
    private static let tree = MemoryTree(leaves: entries)

    /// Every third is withheld, and one is empty.
    private static func disclosure(_ index: Int) -> Data? {
        index % 3 == 2 ? nil : Data(String(repeating: "x", count: index % 7).utf8)
    }

    private static func package(_ range: Range<UInt64>, in size: Int, _ form: UploadForm) throws -> EntryPackage {
        let subtree = try #require(EntryPackage.subtree(of: range))
        let proof = try #require(tree.proof(of: Int(subtree.lowerBound)..<Int(subtree.upperBound), in: size))
        let places = Int(range.lowerBound)..<Int(range.upperBound)
        return try #require(
            EntryPackage(
                from: range.lowerBound, entries: Array(entries[places]),
                disclosures: form == .records ? places.map(disclosure) : [], proof: proof))
    }

    /// The head and its packages, with their bytes.
    private static func upload(_ range: Range<UInt64>, _ form: UploadForm) throws -> ([UploadDecoder.Element], Data) {
        let head = try #require(UploadHead(origin: "example.com/log", range: range, ticket: Data("ticket".utf8)))
        var elements: [UploadDecoder.Element] = [.head(head)]
        var data = head.data
        var start = range.lowerBound
        while start < range.upperBound {
            let package = try package(head.package(at: start), in: Int(range.upperBound), form)
            elements.append(.package(package))
            data += package.data
            start = package.range.upperBound
        }
        return (elements, data)
    }

    private static func preceding(_ start: UInt64) -> Frontier {
        var tree = Frontier()
        for entry in entries.prefix(Int(start)) { tree.append(leaf: entry) }
        return tree.sinceAlignment
    }

    private static let ranges: [Range<UInt64>] = [
        0..<0, 0..<1, 0..<255, 0..<256, 0..<257, 3..<3, 3..<4, 3..<256, 3..<300, 255..<257, 256..<512, 257..<520,
        511..<513, 512..<520, 519..<520,
    ]

    @Test(
        "an upload in pieces of any size is read as it was written, and each package proves its entries",
        arguments: [UploadForm.entries, .records], [1, 2, 3, 7, 64, 1000, 1_000_000])
    func pieces(form: UploadForm, size: Int) throws {
        for range in Self.ranges {
            let (elements, data) = try Self.upload(range, form)
            var decoder = UploadDecoder(form)
            var read: [UploadDecoder.Element] = []
            for start in stride(from: 0, to: data.count, by: size) {
                #expect(!decoder.isComplete)
                read += try decoder.read(data.dropFirst(start).prefix(size))
            }
            #expect(decoder.isComplete)
            #expect(read == elements)
            for case .package(let package) in read {
                let head = Self.tree.head(Int(range.upperBound))
                let preceding = Self.preceding(package.range.lowerBound)
                #expect(package.isProven(after: preceding, in: head))
                #expect(!package.isProven(after: preceding, in: Self.tree.head(Int(range.upperBound) - 1)))
                var other = preceding
                other.append(leaf: Data())
                #expect(!package.isProven(after: other, in: head))
            }
        }
    }

    @Test("the bytes are those of C2SP tlog-mirror")
    func layout() throws {
        let (_, data) = try Self.upload(3..<5, .entries)
        let proof = try #require(Self.tree.proof(of: 0..<5, in: 5))
        #expect(proof.hashes.isEmpty)
        let expected =
            Data([0, 15]) + Data("example.com/log".utf8) + Data([0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 5, 0, 6])
            + Data("ticket".utf8) + Data([0, 7]) + Data("entry 3".utf8) + Data([0, 7]) + Data("entry 4".utf8)
            + Data([0])
        #expect(data == expected)
        let (_, records) = try Self.upload(1..<3, .records)
        let disclosures = Data([0, 0, 0, 1]) + Data("x".utf8) + Data([0xFF, 0xFF, 0xFF, 0xFF])
        #expect(records.suffix(10) == disclosures + Data([0]))
    }

    @Test("an upload that ends in a package is not complete, and its packages before that are read")
    func cut() throws {
        let (elements, data) = try Self.upload(250..<520, .records)
        for end in 0..<data.count {
            var decoder = UploadDecoder(.records)
            let read = try decoder.read(data.prefix(end))
            #expect(!decoder.isComplete)
            #expect(read == Array(elements.prefix(read.count)))
            #expect(read.count < elements.count)
        }
    }

    @Test("an upload with a bit flipped in any byte is refused, or proves other entries, or has other disclosures")
    func tampered() throws {
        let range: Range<UInt64> = 254..<261
        let (elements, data) = try Self.upload(range, .records)
        let head = Self.tree.head(261)
        for place in data.indices {
            var altered = data
            altered[place] ^= 1 << UInt8(place % 8)
            var decoder = UploadDecoder(.records)
            guard let read = try? decoder.read(altered), decoder.isComplete else { continue }
            var isFound = read.first != elements.first
            for case .package(let package) in read {
                guard package.isProven(after: Self.preceding(package.range.lowerBound), in: head) else {
                    isFound = true
                    continue
                }
                let places = Int(package.range.lowerBound)..<Int(package.range.upperBound)
                #expect(package.entries == Array(Self.entries[places]), "byte \(place)")
                // Which a receiver holds against the digests in the leaves.
                if package.disclosures != places.map(Self.disclosure) { isFound = true }
            }
            #expect(isFound, "byte \(place)")
        }
    }

    @Test("a package that is too large is refused as soon as its size is read")
    func bounds() throws {
        func problem(_ form: UploadForm, _ data: Data) -> UploadDecoder.Problem? {
            var decoder = UploadDecoder(form)
            do throws(UploadDecoder.Problem) { _ = try decoder.read(data) } catch { return error }
            return nil
        }
        let head = try #require(UploadHead(origin: "a", range: 5..<6)).data
        let entry = Data([0, 1, 0])
        #expect(problem(.records, head + [0x04, 0x01]) == .entryTooLarge(5))
        #expect(problem(.entries, head + [0xFF, 0xFF]) == nil)
        #expect(problem(.records, head + entry + [0, 0x10, 0, 1]) == .disclosureTooLarge(5))
        #expect(problem(.records, head + entry + [0xFF, 0xFF, 0xFF, 0xFE]) == .disclosureTooLarge(5))
        #expect(problem(.entries, head + entry + [64]) == .tooManyHashes(5))
        #expect(problem(.entries, head + entry + [0, 0]) == .trailingBytes)
        #expect(problem(.entries, Data([0, 1, 0x61]) + Data(count: 7) + [6] + Data(count: 7) + [5]) == .head)
        #expect(problem(.entries, Data([0, 1, 0x61]) + Data(count: 8) + [0x80] + Data(count: 7)) == .head)
        #expect(problem(.entries, Data([0, 0])) == .head)
        #expect(problem(.entries, Data([0, 1, 0x0A])) == .head)
        #expect(problem(.entries, Data([0, 1, 0xFF])) == .head)
        let large = Data([0, 0x10, 0, 0]) + Data(count: JSONValue.maximumSize)
        let many = try #require(UploadHead(origin: "a", range: 0..<17)).data + Data(repeating: 0, count: 34)
        #expect(problem(.records, many + (0..<16).flatMap { _ in large }) == nil)
        #expect(problem(.records, many + (0..<16).flatMap { _ in large } + [0, 0, 0, 1]) == .packageTooLarge(16))
    }

    @Test("a package that is not canonical cannot be made")
    func otherPackages() throws {
        let proof = try #require(Self.tree.proof(of: 0..<4, in: 4))
        let entries = Array(Self.entries.prefix(4))
        #expect(EntryPackage(from: 0, entries: entries, proof: proof) != nil)
        #expect(EntryPackage(from: 2, entries: Array(entries.prefix(2)), proof: proof) != nil)
        #expect(EntryPackage(from: 1, entries: entries, proof: proof) == nil)
        #expect(EntryPackage(from: 0, entries: [], proof: proof) == nil)
        #expect(EntryPackage(from: 0, entries: entries, disclosures: [nil], proof: proof) == nil)
        let large = Array(entries.prefix(3)) + [Data(count: 65536)]
        #expect(EntryPackage(from: 0, entries: large, proof: proof) == nil)
        #expect(EntryPackage.subtree(of: 255..<257) == nil)
        #expect(EntryPackage.subtree(of: 255..<255) == nil)
        #expect(UploadHead(origin: "a b", range: 0..<1) == nil)
        #expect(UploadHead(origin: "a", range: 0..<(1 << 63)) == nil)
        #expect(UploadHead(origin: "a", range: 0..<1, ticket: Data(count: 65536)) == nil)
    }

    @Test("a leaf and its disclosure are built again from what a receiver keeps")
    func rebuilt() throws {
        let disclosure = Disclosure(["client": .string("org.example"), "user": .integer(1000)])
        #expect(Disclosure(disclosure.fields, salt: disclosure.salt) == disclosure)
        let digest = try #require(
            RecordLeaf(index: 7, kind: .used, time: Timestamp(milliseconds: 0), digest: disclosure.digest).digestBytes)
        let leaf = RecordLeaf(index: 7, kind: .used, time: Timestamp(milliseconds: 0), digestBytes: digest)
        #expect(try ConsentRecord(leaf: leaf.data, disclosure: disclosure.text).fields == disclosure.fields)
        #expect(try ConsentRecord(leaf: leaf.data, disclosure: nil).isErased)
        #expect(throws: RecordProblem.self) {
            try ConsentRecord(leaf: leaf.data, disclosure: Disclosure(disclosure.fields).text)
        }
        #expect(RecordLeaf(index: 0, kind: .used, time: Timestamp(milliseconds: 0), digest: "short").digestBytes == nil)
    }
}
