import Speech

/// Rules that are tried with what a person said.
extension EngineTrial {
    func recognises(_ clip: Recording) throws(EngineTrialError) -> String? {
        let conversation = try begun()
        try conversation.hear(clip.samples + Self.silence(2))
        try conversation.finish()
        try conversation.rest()
        if let failure = conversation.failure { return failure.message }
        let found = Self.words(conversation.text)
        let said = Self.words(clip.text)
        let right = said.count { found.contains($0) }
        guard 2 * right >= said.count else { return "of \(said.count) words it found \(right): “\(conversation.text)”" }
        let times = conversation.finals.flatMap { $0.words.map { ($0.start, $0.end) } }
        let end = Double(clip.samples.count) / 16_000
        return times.allSatisfy { $0.0 <= $0.1 && $0.1 <= end + 0.5 } ? nil : "a word ends after the recording"
    }

    func pieces(_ clip: Recording) throws(EngineTrialError) -> String? {
        var texts: [String] = []
        for pieces in [[1_600], [1, 159, 4_001, 320]] {
            let conversation = try begun()
            try conversation.hear(clip.samples + Self.silence(2), pieces: pieces)
            try conversation.finish()
            try conversation.rest()
            texts.append(conversation.text)
        }
        return texts[0] == texts[1] ? nil : "“\(texts[0])” is “\(texts[1])” in other pieces"
    }

    func lost(_ clip: Recording) throws(EngineTrialError) -> String? {
        let conversation = try begun()
        let gap: Int64 = 160_000
        try conversation.hear(clip.samples)
        try conversation.hear(clip.samples, at: Int64(clip.samples.count) + gap)
        try conversation.finish()
        try conversation.rest()
        let length = Double(clip.samples.count) / 16_000
        let hole = (length + 0.5)...(length + Double(gap) / 16_000 - 0.5)
        guard let last = conversation.finals.last, last.start >= hole.upperBound else {
            return "what was said after ten lost seconds has a time before them"
        }
        return conversation.finals.contains { $0.start < hole.lowerBound && $0.end > hole.upperBound }
            ? "an utterance goes across ten lost seconds" : nil
    }

    func ends(_ clip: Recording) throws(EngineTrialError) -> String? {
        let (engine, conversation) = try greeted()
        try conversation.start(RecognitionConfiguration())
        try conversation.hear(Array(clip.samples.prefix(clip.samples.count / 2)))
        engine.closeSocket()
        try engine.waitForEnd(by: deadline)
        return nil
    }

    func file(_ clip: Recording) throws(EngineTrialError) -> String? {
        let conversation = try begun(RecognitionConfiguration(input: .file))
        try conversation.hear(file: clip.file)
        try conversation.finish()
        try conversation.rest()
        if let failure = conversation.failure { return failure.message }
        return conversation.text.isEmpty ? "it found no word in it" : nil
    }

    func phrases(_ clip: Recording) throws(EngineTrialError) -> String? {
        let phrase = "play music"
        let conversation = try begun(RecognitionConfiguration(task: .phrases([phrase])))
        try conversation.hear(clip.samples + Self.silence(2))
        try conversation.finish()
        try conversation.rest()
        if let failure = conversation.failure {
            return failure.code == .phraseRefused ? nil : "it failed as \(failure.code.rawValue)"
        }
        let other = conversation.events.contains {
            switch $0 {
            case .partial, .noisy, .fellBack: true
            case .final(let transcript): transcript.text != phrase || !transcript.words.isEmpty
            case .speechStarted, .finished, .failed, .learnt, .progress: false
            }
        }
        return other ? "it told of something else" : nil
    }

    private static func words(_ text: String) -> [String] { PhraseBook.words(of: text) }
}
