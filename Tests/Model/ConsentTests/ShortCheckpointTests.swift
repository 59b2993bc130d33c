import Foundation
import Testing

@testable import Consent

@Suite("A checkpoint as a short line")
struct ShortCheckpointTests {
    private let head = TreeHead(size: 1234, root: .leaf(Data("a".utf8)))
    private var line: String { ShortCheckpoint(head).description }

    @Test("it has the size, four groups and a word, and is read back however it was copied")
    func readBack() throws {
        #expect(line.wholeMatch(of: /1234 ([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4} [a-z]{5}/) != nil, "\(line)")
        let short = ShortCheckpoint(head)
        for copy in [
            line, line.uppercased(), line.replacing("-", with: " "), line.replacing("-", with: ""),
            line.replacing("0", with: "O"), "  \(line)\n", "Nov 23 host voicegated[7]: checkpoint \(line)",
        ] { #expect(ShortCheckpoint(copy) == short, "\(copy)") }
        #expect(short.matches(head.root))
        #expect(!short.matches(.leaf(Data("b".utf8))))
    }

    @Test("each wrong character is noticed")
    func mistakes() {
        for place in line.indices where line[place] != " " && line[place] != "-" {
            for wrong in "02az" where wrong != line[place] {
                let copy = line.replacingCharacters(in: place...place, with: String(wrong))
                #expect(ShortCheckpoint(copy) == nil, "\(copy)")
            }
        }
        for wrong in ["", "1234", "1234 lusab", String(line.dropLast(6)), "0 0000-0000-0000-0000 babab"] {
            #expect(ShortCheckpoint(wrong) == nil, "\(wrong)")
        }
    }
}
