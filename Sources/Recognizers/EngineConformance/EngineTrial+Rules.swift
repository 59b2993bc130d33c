import Speech

/// Rules that need no speech.
extension EngineTrial {
    func greets() throws(EngineTrialError) -> String? {
        let (engine, _) = try greeted()
        return engine.hasReply ? "it sends more than ready before a session" : nil
    }

    func silence() throws(EngineTrialError) -> String? {
        let conversation = try begun()
        try conversation.hear(Self.silence(3))
        try conversation.finish()
        if !conversation.text.isEmpty { return "it recognised “\(conversation.text)”" }
        return wrong(conversation.duration, expected: 3)
    }

    func nothing() throws(EngineTrialError) -> String? {
        let conversation = try begun()
        try conversation.finish()
        return wrong(conversation.duration, expected: 0)
    }

    func progress() throws(EngineTrialError) -> String? {
        let conversation = try begun()
        try conversation.hear(Self.silence(10))
        try conversation.finish()
        return conversation.progress.count >= 4
            ? nil : "it reported its progress \(conversation.progress.count) times in 10 seconds of audio"
    }

    func nonsense() throws(EngineTrialError) -> String? {
        let (engine, conversation) = try greeted()
        try engine.send(Array("this is no header\n{\"type\":\n\u{0}".utf8), by: deadline)
        return try refuses(engine, conversation)
    }

    func early() throws(EngineTrialError) -> String? {
        let (engine, conversation) = try greeted()
        try engine.send(.audio(samples: Self.silence(1), position: 0), by: deadline)
        return try refuses(engine, conversation)
    }

    func noSoundFile() throws(EngineTrialError) -> String? {
        let conversation = try begun(RecognitionConfiguration(input: .file))
        try conversation.hear(file: Array("this is a text and no sound".utf8))
        try conversation.finish()
        guard let failure = conversation.failure else { return "it transcribed a text" }
        return failure.code == .badAudio ? nil : "it refused a text as \(failure.code.rawValue)"
    }

    func undeclared() throws(EngineTrialError) -> String? {
        let tasks: [RecognitionTask] = [
            .dictation, .phrases(["play music"]), .keyPhrases([KeyPhrase("play music")]),
            .grammar("#JSGF V1.0; grammar music; public <music> = play music;"),
        ]
        let declared = try greeted().conversation.capabilities
        for task in tasks where !declared.recognizes(task.kind) {
            let conversation = try begun(RecognitionConfiguration(task: task))
            try conversation.finish()
            guard let failure = conversation.failure else { return "it accepted \(task.kind.rawValue)" }
            guard failure.code == .phraseRefused || failure.code == .grammarRefused else {
                return "it refused \(task.kind.rawValue) as \(failure.code.rawValue)"
            }
        }
        return nil
    }

    /// An error and the end of the process both count as a refusal.
    private func refuses(_ engine: EngineProcess, _ conversation: EngineConversation) throws(EngineTrialError)
        -> String?
    {
        while let reply = try engine.reply(by: deadline) {
            guard case .recognized(.failed(let error)) = reply else { return "it accepted it and answered" }
            return error.code == .protocolViolation ? nil : "it refused it as \(error.code.rawValue)"
        }
        return nil
    }

    private func wrong(_ duration: Double?, expected: Double) -> String? {
        guard let duration else { return "it failed" }
        return abs(duration - expected) < 0.2 ? nil : "it reports \(duration) seconds for \(expected) seconds of audio"
    }
}

/// Rules that need a recording of speech.
extension EngineTrial {
    func recognises(_ clip: Recording) throws(EngineTrialError) -> String? {
        let conversation = try begun()
        try conversation.hear(clip.samples + Self.silence(2))
        try conversation.finish()
        if let failure = conversation.failure { return failure.message }
        let found = PhraseBook.words(of: conversation.text)
        let said = PhraseBook.words(of: clip.text)
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
            texts.append(conversation.text)
        }
        return texts[0] == texts[1] ? nil : "“\(texts[0])” is “\(texts[1])” in other pieces"
    }

    func lost(_ clip: Recording) throws(EngineTrialError) -> String? {
        let conversation = try begun()
        let gap: Int64 = 160_000
        try conversation.hear(clip.samples)
        try conversation.skip(to: Int64(clip.samples.count) + gap)
        try conversation.hear(clip.samples, at: Int64(clip.samples.count) + gap)
        try conversation.finish()
        let length = Double(clip.samples.count) / 16_000
        let gapTimes = (length + 0.5)...(length + Double(gap) / 16_000 - 0.5)
        guard let last = conversation.finals.last, last.start >= gapTimes.upperBound else {
            return "speech after ten lost seconds has a time before them"
        }
        return conversation.finals.contains { $0.start < gapTimes.lowerBound && $0.end > gapTimes.upperBound }
            ? "an utterance spans ten lost seconds" : nil
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
        if let failure = conversation.failure { return failure.message }
        return conversation.text.isEmpty ? "it recognised no word in it" : nil
    }

    func phrases(_ clip: Recording) throws(EngineTrialError) -> String? {
        let phrase = "play music"
        let conversation = try begun(RecognitionConfiguration(task: .phrases([phrase])))
        try conversation.hear(clip.samples + Self.silence(2))
        try conversation.finish()
        if let failure = conversation.failure {
            return failure.code == .phraseRefused ? nil : "it failed as \(failure.code.rawValue)"
        }
        let other = conversation.events.contains {
            switch $0 {
            case .partial, .sound: true
            case .final(let transcript): transcript.text != phrase || !transcript.words.isEmpty
            case .speechStarted, .finished, .failed, .learnt, .progress: false
            }
        }
        return other ? "it reported something else" : nil
    }
}
