extension EnglishWording {
    func name(of fidelity: Fidelity) -> String {
        switch fidelity {
        case .full: "every word"
        case .reduced: "only its phrases"
        }
    }
}
