/// Recognises typing and other clicking. A recogniser that has only words to choose from makes words of it: 37 in a minute.
///
/// Strokes are short: within 50 ms a few of them have most of the energy; speech, also whispered, lasts. And a voice lasts, too,
/// while what rings after a stroke is periodic for a moment only. Measured with 18 speakers, their clips as whispers, and typing
/// (Benchmarks/README.md).
public enum KeyStrokes {
    /// Samples.
    private static let part = 40
    private static let partsOfBlock = 20
    /// The loudest part's energy as a multiple of a block's mean, in the median of the loud blocks: at most 3.4 in whispers, at least
    /// 8 in typing, 5 of a typewriter without pauses. Speech has up to 4.8, and a voice.
    private static let impulse: Float = 4.5
    /// Of a loud block's energy above that of the quietest fifth.
    private static let loud: Float = 4

    /// Frames of 10 ms that a voice lasts.
    private static let voice = 8
    /// Successive frames of speech in which a voice is looked for, so that strokes before speech hide none, and its least share: at
    /// least 0.41 in speech, 0.28 in speech with strokes as loud, at most 0.21 in typing.
    private static let window = 200
    private static let share = 0.25

    /// Whether an utterance, at 16 kHz, is strokes alone.
    public static func isAll(of samples: [Int16]) -> Bool {
        isImpulsive(samples) && !hasVoice(samples)
    }

    static func isImpulsive(_ samples: [Int16]) -> Bool {
        let blocks = blocks(of: samples)
        let means = blocks.map(\.mean).sorted()
        guard let loudest = means.last else { return false }
        let least = max(means[means.count / 5] * loud, loudest / 10_000)
        let impulses = blocks.filter { $0.mean > least }.map { $0.most / $0.mean }.sorted()
        return !impulses.isEmpty && impulses[impulses.count / 2] > impulse
    }

    private static func blocks(of samples: [Int16]) -> [(mean: Float, most: Float)] {
        let length = part * partsOfBlock
        return stride(from: 0, through: samples.count - length, by: length).map { start in
            var (sum, most) = (Float(0), Float(0))
            for place in stride(from: start, to: start + length, by: part) {
                // A hum below speech would hide them.
                let energy = energy(samples, place..<place + part)
                sum += energy
                most = max(most, energy)
            }
            return (sum / Float(partsOfBlock), most)
        }
    }

    /// Of the differences of neighbours, which have little of a hum.
    private static func energy(_ samples: [Int16], _ range: Range<Int>) -> Float {
        var sum = Float(0)
        var index = range.lowerBound + 1
        while index < range.upperBound {
            let difference = Float(samples[index]) - Float(samples[index - 1])
            sum += difference * difference
            index += 1
        }
        return sum
    }

    /// Whether some `window` of its frames of speech, or all if they are fewer, have a voice.
    private static func hasVoice(_ samples: [Int16]) -> Bool {
        let voiced = lastingVoice(in: samples)
        let length = min(window, voiced.count)
        guard length > 0 else { return false }
        var count = voiced[..<length].count { $0 }
        var most = count
        for index in length..<voiced.count {
            count += (voiced[index] ? 1 : 0) - (voiced[index - length] ? 1 : 0)
            most = max(most, count)
        }
        return Double(most) >= share * Double(length)
    }

    /// Of each frame of speech, whether it is of a voice that lasts.
    private static func lastingVoice(in samples: [Int16]) -> [Bool] {
        var detector = VoiceActivityDetector()
        let length = VoiceActivityDetector.frameLength
        var frames: [Bool] = []
        var run = 0
        for start in stride(from: 0, through: samples.count - length, by: length) {
            let finding = detector.judge(samples[start..<start + length])
            run = finding.isVoiced ? run + 1 : 0
            guard finding.isSpeech else { continue }
            frames.append(run >= voice)
            if run == voice { for index in frames.indices.suffix(voice) { frames[index] = true } }
        }
        return frames
    }
}
