import CLinux
import Foundation
import RecognizerWorker
import Speech
import Synchronization

/// Learns a transform from recordings, and measures its gain by cross-validation: the recordings are divided into four parts,
/// and each is decoded without a transform and with one that was learnt from the other three.
final class VoiceLearning {
    static let parts = 4

    private let plain: DecoderThreads
    private let adapted: Decoder
    private let model: AdaptableModel
    private let tools: TrainingTools
    private let progress: LearningProgress

    /// - Parameters:
    ///   - plain: one decoder, which gets no transform.
    ///   - adapted: gets the transforms.
    init(
        plain: DecoderThreads, adapted: Decoder, model: Model, tools: TrainingTools,
        progress: @escaping @Sendable (Double) -> Void
    ) throws(EnrolmentError) {
        self.plain = plain
        self.adapted = adapted
        self.model = try AdaptableModel(model, work: tools.work)
        self.tools = tools
        self.progress = LearningProgress(report: progress)
    }

    func learn(from recordings: [Recording]) throws(EnrolmentError) -> Adaptation {
        progress.begin(steps: recordings.count * 2)
        let usable = try prepare(recordings)
        let seconds = usable.reduce(0) { $0 + $1.seconds }
        guard usable.count >= EnrolmentClip.Bounds.fewestClips, seconds >= EnrolmentClip.Bounds.shortestTotal else {
            throw EnrolmentError(
                code: .tooLittle,
                message:
                    "Of \(recordings.count) recordings \(usable.count) can be used, \(Int(seconds)) seconds of them. "
                    + "At least \(EnrolmentClip.Bounds.fewestClips) sentences and "
                    + "\(Int(EnrolmentClip.Bounds.shortestTotal)) seconds are needed; read more, as it is written.")
        }
        let before = BlockingQueue<[Int]?>(capacity: 1)
        plain.perform { [progress] decoder in
            let errors = usable.map { recording in
                defer { progress.step() }
                return decoder.errors(in: recording)
            }
            before.put(decoder.failure == nil ? errors : nil)
        }
        let accumulated = try (0..<Self.parts).map { (part) throws(EnrolmentError) in try accumulate(part, of: usable) }
        var after: [Int: Int] = [:]
        for part in 0..<Self.parts {
            let others = accumulated.indices.filter { $0 != part }.map { accumulated[$0] }
            guard adapted.adapt(matrix: try solve(from: others, "part\(part)").path) else { throw Self.unusable }
            for (index, recording) in usable.enumerated() where index % Self.parts == part {
                after[index] = adapted.errors(in: recording)
                progress.step()
            }
        }
        // A failed decoder found no words, which would look like errors.
        guard let errors = before.take() ?? nil, adapted.failure == nil else { throw Self.undecoded }
        let gain = AdaptationGain(
            usable.indices.map { (words: usable[$0].words.count, before: errors[$0], after: after[$0] ?? 0) })
        let transform = try solve(from: accumulated, "all").bytes
        let used = Set(usable.map(\.place))
        return Adaptation(
            transform: transform, gain: gain, seconds: seconds,
            unused: recordings.map(\.place).filter { !used.contains($0) })
    }

    /// Writes the cepstra, transcriptions and dictionary of the usable recordings.
    private func prepare(_ recordings: [Recording]) throws(EnrolmentError) -> [Recording] {
        var usable: [Recording] = []
        var transcriptions: [[UInt8]] = []
        for recording in recordings {
            // Unknown words, and other words than the given ones, cannot be aligned.
            guard !recording.words.isEmpty, recording.words.allSatisfy(adapted.knows),
                let entries = adapted.alignment(of: recording.samples, with: recording.words),
                adapted.writeCepstra(of: recording.samples, to: tools.work + "/\(usable.count).mfc") != nil
            else { continue }
            transcriptions.append(Array("<s> \(entries.joined(separator: " ")) </s> (\(usable.count))\n".utf8))
            usable.append(recording)
        }
        for part in 0..<Self.parts {
            let members = usable.indices.filter { $0 % Self.parts == part }
            try AdaptableModel.write(members.flatMap { transcriptions[$0] }, to: path("transcription", part))
            try AdaptableModel.write(members.flatMap { Array("\($0)\n".utf8) }, to: path("control", part))
        }
        try AdaptableModel.write(
            try model.entries(of: Set(usable.flatMap(\.words))), to: tools.work + "/dictionary")
        return usable
    }

    /// Collects the statistics of a part's sounds.
    ///
    /// - Returns: the folder with the counts.
    private func accumulate(_ part: Int, of usable: [Recording]) throws(EnrolmentError) -> String {
        let folder = path("counts", part)
        guard mkdir(folder, 0o700) == 0 else {
            throw EnrolmentError(
                code: .noMemory, message: "No folder can be created in memory (/dev/shm). Free some memory.")
        }
        try tools.run(
            "bw",
            model.arguments + [
                "-dictfn", tools.work + "/dictionary", "-ctlfn", path("control", part),
                "-lsnfn", path("transcription", part), "-cepdir", tools.work, "-cepext", "mfc", "-accumdir", folder,
            ])
        return folder
    }

    /// - Returns: the file of the matrix, and its content, which fits the model.
    private func solve(
        from counts: [String], _ name: String
    ) throws(EnrolmentError) -> (path: String, bytes: [UInt8]) {
        let matrix = tools.work + "/" + name + ".matrix"
        try tools.run(
            "mllr_solve", model.statistics + ["-outmllrfn", matrix, "-accumdir"] + [counts.joined(separator: ",")])
        guard let bytes = FileManager.default.contents(atPath: matrix).map({ [UInt8]($0) }),
            SpeakerTransform.fits(bytes, streams: adapted.streams)
        else { throw Self.unusable }
        return (matrix, bytes)
    }

    private func path(_ name: String, _ part: Int) -> String { tools.work + "/\(name)\(part)" }

    private static let undecoded = EnrolmentError(
        code: .failed, message: "PocketSphinx could not decode the recordings. See the service's log, then try again.")
    private static let unusable = EnrolmentError(
        code: .toolFailed,
        message: "sphinxtrain's mllr_solve gave no transform that fits the model; read more sentences.")
}

/// sphinxtrain's programs. Their files are in one folder.
struct TrainingTools {
    let folder: String
    let work: String

    /// Runs a program to its end.
    ///
    /// - Throws: `toolFailed`; the reason is logged.
    func run(_ tool: String, _ arguments: [String]) throws(EnrolmentError) {
        let log = work + "/" + tool + ".log"
        let path = folder + "/" + tool
        var status: Int32 = 0
        let error = withCStrings([path] + arguments) { vg_worker_run_tool(path, $0, log, &status) }
        guard error == 0, status == 0 else {
            let lines = (try? String(contentsOfFile: log, encoding: .isoLatin1))?.split(separator: "\n") ?? []
            let reason = lines.last { $0.contains("ERROR") || $0.contains("FATAL") } ?? lines.last
            EngineLog.write(
                "error", "\(tool) failed (\(error), \(status)): \(reason?.prefix(300) ?? "no reason given")")
            throw EnrolmentError(
                code: .toolFailed,
                message: "sphinxtrain's \(tool) failed; see the service's log. Install the package sphinxtrain again.")
        }
    }
}

/// Counts and reports the finished steps of two threads.
final class LearningProgress: Sendable {
    private let state = Mutex((done: 0, steps: 1))
    private let report: @Sendable (Double) -> Void

    init(report: @escaping @Sendable (Double) -> Void) { self.report = report }

    func begin(steps: Int) { state.withLock { $0 = (0, max(steps, 1)) } }

    func step() {
        // Reported under the lock, so that the shares arrive in order.
        state.withLock {
            $0.done += 1
            report(min(Double($0.done) / Double($0.steps), 1))
        }
    }
}
