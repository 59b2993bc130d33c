import LinuxSystem
import Testing

@Suite("Files beside another")
struct CompanionFileTests {
    @Test("a short name gets the suffix, in any folder")
    func short() {
        for path in ["notes.srt", "/a/notes.srt", "a b/ノート.srt"] {
            #expect(CompanionFile.path(beside: path, suffix: ".resume", reserving: 4) == path + ".resume")
        }
    }

    @Test("a name that the suffixes would make longer than 255 bytes is replaced by its digest, in the same folder")
    func long() throws {
        let (fits, isTooLong) = (String(repeating: "n", count: 244), String(repeating: "n", count: 245))
        #expect(CompanionFile.path(beside: "out/" + fits, suffix: ".resume", reserving: 4) == "out/\(fits).resume")
        let path = CompanionFile.path(beside: "out/" + isTooLong, suffix: ".resume", reserving: 4)
        #expect(try path.wholeMatch(of: Regex("out/[0-9a-f]{32}\\.resume")) != nil, "\(path)")
        // Names that differ in their last bytes alone have files of their own.
        let other = CompanionFile.path(beside: "out/" + isTooLong.dropLast() + "m", suffix: ".resume", reserving: 4)
        #expect(other != path)
        // Bytes, not characters: 82 of three bytes each.
        let japanese = String(repeating: "会", count: 82)
        #expect(CompanionFile.path(beside: japanese, suffix: ".resume", reserving: 4).utf8.count == 39)
    }
}
