extension KoreanWording {
    func name(of fidelity: Fidelity) -> String {
        switch fidelity {
        case .full: "모든 말"
        case .reduced: "정해진 문구만"
        }
    }
}
