import Authorization
import Speech
import TestSupport

/// Notes what it was to keep. The real one needs a disk; what reaches it is what these tests are about.
struct StandInKeeper: Keeper {
    let notes: Recorder<String>

    func begin(_ session: SessionDescription, keeping times: KeepingTimes) -> any SessionKeeping {
        notes.add("keep begin " + times.inOrder.map { "\($0.kind.rawValue) \($0.time.text)" }.joined(separator: ","))
        return Kept(notes: notes)
    }

    private struct Kept: SessionKeeping {
        let notes: Recorder<String>

        func heard(_ frames: Frames) { notes.add("keep frames \(frames.position)") }
        func recognised(_ transcript: Transcript) { notes.add("keep word \(transcript.text)") }
        func end(isKept: Bool) async { notes.add("keep end \(isKept)") }
    }
}
