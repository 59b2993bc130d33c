import Speech

/// What a voice profile has an effect on now: PocketSphinx alone adapts to a voice.
struct ProfileUse: Sendable, Hashable {
    /// What recognises dictations, unless that is PocketSphinx.
    let dictation: String?
    /// The same for files.
    let files: String?
    /// config.yaml decides what recognises speech, not `voicegate engine use`.
    let isConfigured: Bool

    /// - Parameters:
    ///   - outside: the engine outside of the service that writes the text of dictations and files.
    ///   - isConfigured: an engine of config.yaml may leave files to PocketSphinx, which has no profile then.
    init(_ table: EngineTable, outside: String?, isConfigured: Bool) {
        func other(_ input: RecognitionConfiguration.Input) -> String? {
            let id = try? table.engine(for: RecognitionConfiguration(input: input))
            guard let id, id != EngineTable.builtIn else { return nil }
            return table.engines[id]?.name ?? id
        }
        dictation = outside ?? other(.live)
        files = outside ?? other(.file) ?? (isConfigured ? dictation : nil)
        self.isConfigured = isConfigured
    }

    /// It has an effect neither on dictations nor on files.
    var isNone: Bool { dictation != nil && files != nil }

    /// What it has no effect on, why, and what to do about it; `nil`: it is used for dictations and files.
    var note: String? {
        let what: String
        switch (dictation, files) {
        case (nil, nil): return nil
        case (let engine?, nil): what = "dictations, which \(engine) recognises"
        case (nil, let engine?): what = "files, which \(engine) recognises"
        case (let engine?, let other?) where engine == other:
            what = "dictations and files, which \(engine) recognises"
        case (let engine?, let other?):
            what = "dictations, which \(engine) recognises, and files, which \(other) does"
        }
        return "Only PocketSphinx uses voice profiles, so that one has no effect on \(what). "
            + (isConfigured
                ? "To change that, remove engine from config.yaml and run: voicegate service restart"
                : "To change that:  voicegate engine use \(EngineTable.builtIn)")
    }
}
