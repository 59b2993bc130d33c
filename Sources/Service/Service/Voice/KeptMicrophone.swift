import Foundation
import Speech

/// What was learnt of a microphone, as it is kept: the only item of its kind that bears this format.
struct KeptMicrophone: Sendable, Hashable, Codable {
    static let format = "voicegate-microphone-1"
    /// Bytes of an item; thirteen numbers take about 300.
    static let longest: Int64 = 8_192

    /// A minute of speech tells all there is to tell.
    private static let enough = 6_000
    /// Euclidean. Two halves of a session differ by less, another microphone or another gain by more.
    private static let another = 4.0

    var format = KeptMicrophone.format
    /// SHA-256 of the model's means, in hexadecimal: cepstra are those of its front end.
    var model: String
    var device: String
    var mean: CepstralMean

    /// What is known after a further session; `nil` when that tells nothing new.
    func learning(_ new: CepstralMean) -> KeptMicrophone? {
        guard new.values.count == mean.values.count else { return nil }
        let distance = zip(mean.values, new.values).reduce(0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
            .squareRoot()
        // A microphone that was moved or turned up: what was known of it is past.
        if distance > Self.another, new.frames >= Self.enough / 10 { return with(new) }
        guard mean.frames < Self.enough else { return nil }
        let share = Float(new.frames) / Float(mean.frames + new.frames)
        let values = zip(mean.values, new.values).map { $0 + ($1 - $0) * share }
        return CepstralMean(values: values, frames: min(mean.frames + new.frames, Self.enough)).map(with)
    }

    private func with(_ mean: CepstralMean) -> KeptMicrophone {
        KeptMicrophone(model: model, device: device, mean: mean)
    }
}
