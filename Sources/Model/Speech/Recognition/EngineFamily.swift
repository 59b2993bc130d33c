/// A kind of model that `voicegate-recognizer-onnx` runs.
public enum EngineFamily: String, Sendable, Hashable, CaseIterable {
    case moonshine

    /// What a model's files are for, as an engine's description names them.
    public var files: [String] {
        switch self {
        case .moonshine: ["encoder", "decoder", "tokens", "detector"]
        }
    }

    /// For messages.
    public static var known: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
