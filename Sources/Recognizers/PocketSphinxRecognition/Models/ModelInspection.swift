import Foundation

/// Looks at the files of a model before the library does, which ends the process on much of what can be wrong with them.
///
/// Lengths, counts and checksums must agree with each other, and parameters must be ones that a model has. What is wrong
/// in a way that nobody can see here ends this process and no other.
struct ModelInspection {
    private static let largest = 1 << 30

    let model: Model

    /// - Throws: `damaged` naming the file.
    func check() throws(ModelError) {
        let folder = model.acousticModel
        try FeatureParameters(text(folder + "/feat.params")).check { Self.damaged(folder + "/feat.params", $0) }
        var definition: ModelDefinition.Layout?
        if let binary = ModelDefinition([UInt8](try bytes(folder + "/mdef"))) {
            // Read to its end, so that no number of it leads out of it.
            guard let layout = binary.layout(), binary.text() != nil else {
                throw Self.damaged(folder + "/mdef", "it is cut off, or its numbers do not fit each other")
            }
            definition = layout
        } else if !(try text(folder + "/mdef").contains("n_base")) {
            throw Self.damaged(folder + "/mdef", "it is no model definition")
        }
        let means = try parameters(folder + "/means")
        let variances = try parameters(folder + "/variances")
        let meansHeader = means.gaussians()
        guard let meansHeader else { throw Self.damaged(folder + "/means", "its dimensions do not fit its length") }
        guard let variancesHeader = variances.gaussians(), variancesHeader == meansHeader else {
            throw Self.damaged(folder + "/variances", "its dimensions are not those of the means")
        }
        guard variances.isPositive else { throw Self.damaged(folder + "/variances", "it has a negative variance") }
        guard let matrices = try parameters(folder + "/transition_matrices").matrices(),
            definition.map({ matrices >= $0.matrices }) ?? true
        else { throw Self.damaged(folder + "/transition_matrices", "there are fewer of them than the mdef names") }
        let sendump = folder + "/sendump"
        if FileManager.default.fileExists(atPath: sendump) {
            guard let header = SendumpHeader(try bytes(sendump)) else {
                throw Self.damaged(sendump, "its header does not fit its length")
            }
            let fits = header.streams == meansHeader.streams && header.densities == meansHeader.densities
            guard fits, definition.map({ header.states == $0.states }) ?? true else {
                throw Self.damaged(sendump, "its header fits neither the mdef nor the means")
            }
        } else {
            _ = try parameters(folder + "/mixture_weights")
        }
        for path in [model.languageModel, model.dictionary] where try bytes(path).count < 16 {
            throw Self.damaged(path, "it is cut off")
        }
    }

    private func parameters(_ path: String) throws(ModelError) -> ParameterFile {
        guard let file = ParameterFile(try bytes(path)) else {
            throw Self.damaged(path, "it is cut off, or its header or checksum is wrong")
        }
        return file
    }

    private func text(_ path: String) throws(ModelError) -> String { String(decoding: try bytes(path), as: UTF8.self) }

    private func bytes(_ path: String) throws(ModelError) -> Data {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped),
            data.count <= Self.largest
        else {
            throw ModelError(
                code: .missing, message: "The model's file \(path) cannot be read; install the model again.")
        }
        return data
    }

    private static func damaged(_ path: String, _ reason: String) -> ModelError {
        ModelError(
            code: .damaged,
            message: "The model's file \(path) is damaged: \(reason). Install the model again, or name another one.")
    }
}
