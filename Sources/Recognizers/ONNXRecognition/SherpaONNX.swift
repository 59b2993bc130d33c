import CSherpaONNX
import Foundation
import RecognizerWorker
import Speech

/// The library of an engine, in this process.
enum SherpaONNX {
    /// To be called once, in the confined process: the library's initialisers run here.
    static func load(_ path: String) throws(RecognitionError) {
        try EngineDescription.load(path) { vg_onnx_load($0, $1, $2) }
    }
}

/// A model that turns speech into text, for several threads.
final class SpeechModel: @unchecked Sendable {
    // Owned by this object alone, freed in deinit. Safe: the library makes a state for each decoding, and onnxruntime's sessions may
    // be run by several threads at once.
    private let model: OpaquePointer

    init(_ folder: EngineFolder) throws(RecognitionError) {
        guard let model = vg_speech_model_open(folder.encoder, folder.decoder, folder.tokens) else {
            throw .unusableEngine("The library refused the model \(folder.encoder)")
        }
        self.model = model
    }

    deinit { vg_speech_model_close(model) }

    /// Blocks, about 30 ms of CPU for a second of audio.
    ///
    /// - Parameter samples: at 16 kHz, −1…1.
    func text(of samples: ArraySlice<Float>) throws(RecognitionError) -> String {
        guard !samples.isEmpty else { return "" }
        let text = samples.withUnsafeBufferPointer { vg_speech_model_text(model, $0.baseAddress, Int32($0.count)) }
        guard let text else {
            throw RecognitionError(
                code: .decodingFailed,
                message: "The engine could not decode the speech. See the service's log, then begin a new session.")
        }
        defer { free(text) }
        return String(cString: text)
    }
}

/// Silero's detector of voices. Use it on one thread at a time.
final class VoiceDetector {
    /// Samples that are judged at once: 32 ms.
    static let window = Int(vg_voice_window)
    private static let threshold: Float = 0.5

    // Owned by this object alone, freed in deinit.
    private let detector: OpaquePointer

    init(_ folder: EngineFolder) throws(RecognitionError) {
        guard let detector = vg_voice_detector_open(folder.detector, Self.threshold) else {
            throw .unusableEngine("The library refused the detector \(folder.detector)")
        }
        self.detector = detector
    }

    deinit { vg_voice_detector_close(detector) }

    /// - Parameter window: the next `window` samples.
    func hasVoice(_ window: UnsafeBufferPointer<Float>) -> Bool {
        vg_voice_detector_take(detector, window.baseAddress) != 0
    }

    /// Whether each whole window of the samples has a voice, independent of what was judged before.
    func voices(in samples: [Float]) -> [Bool] {
        vg_voice_detector_reset(detector)
        return samples.withUnsafeBufferPointer { buffer in
            (0..<buffer.count / Self.window).map { index in
                hasVoice(UnsafeBufferPointer(rebasing: buffer[index * Self.window..<(index + 1) * Self.window]))
            }
        }
    }
}

/// Finds the speech of a session as it arrives; late by one window.
final class StreamedVoices: SpeechDetector {
    private let detector: VoiceDetector
    private var window: [Float] = []
    private var isVoice = false

    init(_ detector: VoiceDetector) {
        self.detector = detector
    }

    func judge(_ frame: ArraySlice<Int16>) -> VoiceActivityDetector.Finding {
        for sample in frame {
            window.append(Float(sample) / 32_768)
            guard window.count == VoiceDetector.window else { continue }
            isVoice = window.withUnsafeBufferPointer { detector.hasVoice($0) }
            window.removeAll(keepingCapacity: true)
        }
        return VoiceActivityDetector.Finding(isSpeech: isVoice, isVoiced: isVoice)
    }
}
