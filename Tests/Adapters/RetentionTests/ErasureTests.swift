import Foundation
import TestSupport
import Testing

@testable import Retention

@Suite("Erasing is exact", .timeLimit(.minutes(3)))
struct ErasureTests {
    @Test("of an erased item's key no byte stays in the database, its log or any file; the others stay readable")
    func keys() async throws {
        let bench = try StoreBench()
        let (store, storage) = try bench.open()
        var kept: [(item: KeptItem, key: Data, text: String)] = []
        // Enough for many pages, so that pages are split, merged and used again.
        for number in 0..<300 {
            let text = "the words number \(number)"
            let item = try await bench.keep(text, in: store)
            kept.append((item, try #require(try await storage.key(of: item.identifier)), text))
        }
        let last = try #require(kept.last)
        #expect(try !bench.filesHolding(last.key).isEmpty, "a test that cannot find a key finds no trace of it either")
        var random = SeededGenerator(seed: 7)
        kept.shuffle(using: &random)
        while kept.count > 20 {
            let gone = kept.prefix(70)
            kept.removeFirst(gone.count)
            let identifiers = Set(gone.map(\.item.identifier))
            #expect(try await store.erase(ItemSelection(identifiers: identifiers), for: .requested) == gone.count)
            for (item, key, text) in gone {
                #expect(try bench.filesHolding(key).isEmpty, "the key of \(item.identifier)")
                #expect(try bench.filesHolding(key.prefix(16)).isEmpty)
                #expect(try bench.filesHolding(Data(text.utf8)).isEmpty)
            }
            #expect(Set(bench.files) == Set(kept.map(\.item.identifier)))
            for number in 0..<10 {
                let item = try await bench.keep("more \(number)", in: store)
                kept.append((item, try #require(try await storage.key(of: item.identifier)), "more \(number)"))
            }
        }
        for (item, _, text) in kept {
            #expect(try await StoreBench.text(store.open(item.identifier, user: 1000)) == text)
        }
    }
}
