import CLinux
import Foundation
import Speech

extension RecognizerPool {
    public struct Configuration: Sendable {
        /// Where Debian's package `pocketsphinx-en-us` puts its model.
        public static let defaultModelFolder = "/usr/share/pocketsphinx/model/en-us"

        /// The path of `voicegate-recognizer`.
        public var executable: String
        /// What comes before `--model FOLDER`.
        public var arguments: [String] = []
        public var modelFolder: String
        /// Throws why the model may not be loaded; is asked before each start of a worker, on the pool's thread.
        public var checkModel: @Sendable () throws(RecognitionError) -> Void = {}
        /// Whether workers look closely at the model before they load it: for one that nobody has tried yet.
        public var inspectsModel = false
        /// Whether it is VoiceGate's own: the model's words can be looked up (`*.dict`), and a file is decoded by a crew.
        public var isOurs = true

        /// Sessions that a processor carries in real time while somebody speaks in all of them; see Benchmarks.
        public static let sessionsOfProcessor = 4
        public static let mostSessionsHere = sessionsOfProcessor * max(1, ProcessInfo.processInfo.activeProcessorCount)

        /// Workers that wait with a loaded model, about 100 MB each.
        public var warmWorkers = 2
        /// Sessions at the same time; one more is refused, because all would stutter.
        public var mostSessions = Configuration.mostSessionsHere
        /// Decoders that share the sound files, about 100 MB each: the first file gets all, a further one a part of them.
        public var fileDecoders = Int(vg_worker_processors())
        /// Whether live sessions go before sound files.
        public var filesGiveWay = true
        /// How long loading the model may take.
        public var startTimeout = Duration.seconds(30)
        /// How long a worker that has work may be silent.
        public var answerTimeout = Duration.seconds(30)
        /// How long an utterance may last from its beginning to its final text: the longest one, and the answer.
        public var utteranceTimeout = Duration.seconds(90)
        /// How many times as long one may be that works on a file, while everybody else goes first.
        public var filePatience = 10
        /// The longest pause between attempts when workers die while they load.
        public var longestBackOff = Duration.seconds(30)

        var command: [String] { [executable] + arguments + ["--model", modelFolder] }

        public init(executable: String, modelFolder: String = Configuration.defaultModelFolder) {
            self.executable = executable
            self.modelFolder = modelFolder
        }
    }
}
