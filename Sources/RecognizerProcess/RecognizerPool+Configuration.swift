import CLinux

extension RecognizerPool {
    public struct Configuration: Sendable {
        /// Where Debian's package `pocketsphinx-en-us` puts its model.
        public static let defaultModelFolder = "/usr/share/pocketsphinx/model/en-us"

        /// The path of `voicegate-recognizer`.
        public var executable: String
        public var modelFolder: String
        /// Workers that wait with a loaded model, about 200 MB each.
        public var warmWorkers = 2
        /// Sessions at the same time; one more is refused.
        public var mostSessions = 8
        /// Decoders that share the sound files, about 100 MB each: the first file gets all, a further one a part of them.
        public var fileDecoders = Int(vg_worker_processors())
        /// How long loading the model may take.
        public var startTimeout = Duration.seconds(30)
        /// How long a worker that has work may be silent.
        public var answerTimeout = Duration.seconds(30)
        /// How many times as long one may be that works on a file, while everybody else goes first.
        public var filePatience = 10
        /// The longest pause between attempts when workers die while they load.
        public var longestBackOff = Duration.seconds(30)

        public init(executable: String, modelFolder: String = Configuration.defaultModelFolder) {
            self.executable = executable
            self.modelFolder = modelFolder
        }
    }
}
