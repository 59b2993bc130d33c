import Server
import Speech

extension Routes {
    /// The routes of dictations, sound files and devices.
    ///
    /// - Parameter defaults: of dictations, for what a request leaves out.
    package func addSpeech(
        files: FileSessions, engines: FileEngines, source: any MicrophoneSource, means: any MicrophoneMeans,
        defaults: DictationConfiguration
    ) {
        DictationRoutes(
            runner: files.runner, source: source, recognizer: files.recognizer, defaults: defaults,
            keeper: files.keeper, means: means
        ).add(to: self)
        TranscriptionRoutes(sessions: files, models: ServedModels(engines: engines)).add(to: self)
    }
}
