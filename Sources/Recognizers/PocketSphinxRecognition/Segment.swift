/// A piece of a hypothesis as the library gives it: words, silences and noises. Frames are 10 ms of the utterance.
struct Segment: Hashable {
    let word: String
    let first: Int
    let last: Int
    let posterior: Double

    func moved(by frames: Int) -> Segment {
        Segment(word: word, first: first + frames, last: last + frames, posterior: posterior)
    }
}
