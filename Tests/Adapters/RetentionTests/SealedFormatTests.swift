import Authorization
import Cryptography
import Foundation
import Testing

@testable import Retention

@Suite("The form of a kept file")
struct SealedFormatTests {
    private let key = SymmetricKey()

    private func sealed(_ data: Data, piece: Int = 1000) throws -> Data {
        var sealer = ItemSealer(key: key, item: "a", kind: .recording)
        var file = Data()
        var rest = data
        while !rest.isEmpty {
            file += try sealer.add(Data(rest.prefix(piece)))
            rest = Data(rest.dropFirst(piece))
        }
        file += try sealer.finish()
        #expect(sealer.count == data.count)
        return file
    }

    private func opened(
        _ file: Data, key: SymmetricKey? = nil, item: String = "a", kind: DataKind = .recording
    ) async throws -> Data {
        var opener = ItemOpener(key: key ?? self.key, item: item, kind: kind, reading: MemoryFile(file).read)
        var data = Data()
        while let chunk = try await opener.next() { data += chunk }
        return data
    }

    private func expectDamaged(_ file: Data, _ what: String) async {
        let error = await #expect(throws: RetentionError.self, "\(what)") { try await opened(file) }
        #expect(error?.code == .damaged, "\(what)")
    }

    private static func bytes(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 / 7) })
    }

    @Test(
        "data of every size around a chunk comes back as it was, however it came",
        arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 131_073, 200_000])
    func sizes(_ count: Int) async throws {
        let data = Self.bytes(count)
        for piece in [1000, 65_536, 300_000] {
            let file = try sealed(data, piece: piece)
            #expect(try await opened(file) == data)
            #expect(file.starts(with: Data("voicegate-kept-1 a recording\n".utf8)))
            let chunks = max(1, (count + 65_535) / 65_536)
            #expect(file.count == 29 + count + 16 * chunks)
        }
    }

    @Test("the header is written once, also if nothing comes at first")
    func header() async throws {
        var sealer = ItemSealer(key: key, item: "a", kind: .recording)
        var file = try sealer.add(Data()) + sealer.add(Data()) + sealer.add(Data("x".utf8))
        file += try sealer.finish()
        #expect(try await opened(file) == Data("x".utf8))
    }

    @Test("the file contains nothing of the data")
    func hidden() async throws {
        let text = Data("turn on the light and nobody else will know".utf8)
        let file = try sealed(text)
        #expect(file.range(of: text) == nil && file.range(of: text.prefix(8)) == nil)
        // The same data is another file under another key.
        var other = ItemSealer(key: SymmetricKey(), item: "a", kind: .recording)
        #expect(try other.add(text) + other.finish() != file)
    }

    @Test("each single bit that is flipped is found")
    func flipped() async throws {
        let file = try sealed(Self.bytes(40))
        for position in file.indices {
            for bit in 0..<8 {
                var changed = file
                changed[position] ^= 1 << bit
                await expectDamaged(changed, "byte \(position), bit \(bit)")
            }
        }
    }

    @Test("a file that was cut off anywhere is found, also between two chunks and at nothing")
    func cut() async throws {
        let small = try sealed(Self.bytes(40))
        for count in 0..<small.count { await expectDamaged(small.prefix(count), "\(count) bytes") }
        let large = try sealed(Self.bytes(2 * 65_536 + 10))
        let chunk = 65_552
        for count in [29, 29 + chunk - 1, 29 + chunk, 29 + chunk + 1, 29 + 2 * chunk, large.count - 1] {
            await expectDamaged(large.prefix(count), "\(count) bytes")
        }
        await expectDamaged(large + [0], "a byte more")
        await expectDamaged(large + large.suffix(26), "the last chunk twice")
    }

    @Test("chunks in another order, left out or repeated are found")
    func reordered() async throws {
        let file = try sealed(Self.bytes(3 * 65_536 + 10))
        let header = file.prefix(29)
        let chunks = (0..<3).map { Data(file.dropFirst(29 + $0 * 65_552).prefix(65_552)) }
        let last = Data(file.suffix(26))
        await expectDamaged(header + chunks[1] + chunks[0] + chunks[2] + last, "swapped")
        await expectDamaged(header + chunks[0] + chunks[2] + last, "left out")
        await expectDamaged(header + chunks[0] + chunks[0] + chunks[1] + chunks[2] + last, "repeated")
        await expectDamaged(header + last, "the last alone")
    }

    @Test("a file under another item's name, of another kind or with another key does not open")
    func bound() async throws {
        let file = try sealed(Self.bytes(40))
        await #expect(throws: RetentionError.self) { try await opened(file, item: "b") }
        await #expect(throws: RetentionError.self) { try await opened(file, kind: .transcript) }
        await #expect(throws: RetentionError.self) { try await opened(file, key: SymmetricKey()) }
        // The header is also part of what is authenticated: put right by hand, it still does not open.
        let renamed = Data("voicegate-kept-1 b recording\n".utf8) + file.dropFirst(29)
        await #expect(throws: RetentionError.self) { try await opened(renamed, item: "b") }
    }
}
