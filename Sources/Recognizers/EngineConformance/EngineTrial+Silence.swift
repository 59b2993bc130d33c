import Speech

/// Rules that need nobody to speak.
extension EngineTrial {
    func greets() throws(EngineTrialError) -> String? {
        let (engine, _) = try greeted()
        return engine.hasReply ? "it goes on talking before it is asked" : nil
    }

    func silence() throws(EngineTrialError) -> String? {
        let conversation = try begun()
        try conversation.hear(Self.silence(3))
        try conversation.finish()
        try conversation.rest()
        if !conversation.text.isEmpty { return "it heard “\(conversation.text)”" }
        return wrong(conversation.duration, expected: 3)
    }

    func nothing() throws(EngineTrialError) -> String? {
        let conversation = try begun()
        try conversation.finish()
        try conversation.rest()
        return wrong(conversation.duration, expected: 0)
    }

    func progress() throws(EngineTrialError) -> String? {
        let conversation = try begun()
        try conversation.hear(Self.silence(10))
        try conversation.finish()
        try conversation.rest()
        return conversation.progress.count >= 4
            ? nil : "it told of its progress \(conversation.progress.count) times in 10 seconds of audio"
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
        try conversation.rest()
        guard let failure = conversation.failure else { return "it transcribed a text" }
        return failure.code == .badAudio ? nil : "it refused a text as \(failure.code.rawValue)"
    }

    /// An error or the end of the process: both are a refusal.
    private func refuses(_ engine: EngineProcess, _ conversation: EngineConversation) throws(EngineTrialError)
        -> String?
    {
        while let reply = try engine.reply(by: deadline) {
            guard case .recognized(.failed(let error)) = reply else { return "it took it and answered" }
            return error.code == .protocolViolation ? nil : "it refused it as \(error.code.rawValue)"
        }
        return nil
    }

    private func wrong(_ duration: Double?, expected: Double) -> String? {
        guard let duration else { return "it failed" }
        return abs(duration - expected) < 0.2 ? nil : "it says that \(expected) seconds of audio were \(duration)"
    }
}
