import Recognition

extension RecognizerPool {
    public struct Configuration: Sendable {
        /// Where Debian's package `pocketsphinx-en-us` puts its model.
        public static let defaultModelFolder = "/usr/share/pocketsphinx/model/en-us"

        /// The path of `voicegate-recognizer`.
        public var executable: String
        public var modelFolder: String
        /// Throws why the model may not be loaded; is asked before each start of a worker, on the pool's thread.
        public var checkModel: @Sendable () throws(RecognitionError) -> Void = {}
        /// Whether workers look closely at the model before they load it: for one that nobody has tried yet.
        public var inspectsModel = false
        /// Workers that wait with a loaded model, about 200 MB each.
        public var warmWorkers = 2
        /// Sessions at the same time; one more is refused.
        public var mostSessions = 8
        /// How long loading the model may take.
        public var startTimeout = Duration.seconds(30)
        /// How long a worker that has work may be silent.
        public var answerTimeout = Duration.seconds(30)
        /// The longest pause between attempts when workers die while they load.
        public var longestBackOff = Duration.seconds(30)

        public init(executable: String, modelFolder: String = Configuration.defaultModelFolder) {
            self.executable = executable
            self.modelFolder = modelFolder
        }
    }
}
