/// Why a trial came to nothing; says what the engine did.
enum EngineTrialError: Error, Hashable {
    case cannotStart(String)
    case late(String)
    case violation(String)

    var detail: String {
        switch self {
        case .cannotStart(let reason): "it cannot be started: \(reason)"
        case .late(let reason), .violation(let reason): reason
        }
    }
}
