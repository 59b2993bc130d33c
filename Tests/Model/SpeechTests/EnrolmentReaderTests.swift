import Speech
import Testing

@Suite("Following a reader")
struct EnrolmentReaderTests {
    private var reader = EnrolmentReader(["the cat sat on the mat", "a dog ran off"])

    private func heard(_ text: String, _ start: Double, _ end: Double) -> Transcript {
        Transcript(text: text, start: start, end: end, words: [])
    }

    @Test("each sentence that is read leads to the next, to the last")
    mutating func inOrder() {
        #expect(reader.take(heard("the cat sat on the mat", 1, 3)) == .read(start: 1, end: 3))
        #expect(reader.current == 1 && !reader.isOver)
        #expect(reader.take(heard("a dog ran off", 4, 5)) == .read(start: 4, end: 5))
        #expect(reader.isOver)
        #expect(reader.take(heard("more", 6, 7)) == .more)
    }

    @Test("a pause within a sentence does not divide it")
    mutating func pause() {
        #expect(reader.take(heard("the cat", 1, 2)) == .more)
        #expect(reader.take(heard("", 2, 2.2)) == .more)
        #expect(reader.take(heard("sat on the mat", 3, 4)) == .read(start: 1, end: 4))
    }

    @Test("a badly recognised voice is followed, too")
    mutating func badly() {
        #expect(reader.take(heard("the cats that on them at", 0, 2)) == .read(start: 0, end: 2))
    }

    @Test("a sentence that does not match is repeated once and then left out")
    mutating func somethingElse() {
        #expect(reader.take(heard("what was that just now then", 0, 2)) == .again)
        #expect(reader.current == 0)
        #expect(reader.take(heard("i have no idea at all", 3, 5)) == .skipped)
        #expect(reader.current == 1)
    }

    @Test("the enrolment's text takes two minutes and has enough sentences")
    func texts() {
        let words = EnrolmentText.english.flatMap { PhraseBook.words(of: $0) }
        #expect((20...25).contains(EnrolmentText.english.count) && (240...320).contains(words.count))
    }
}
