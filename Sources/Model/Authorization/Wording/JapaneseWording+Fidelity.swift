extension JapaneseWording {
    func name(of fidelity: Fidelity) -> String {
        switch fidelity {
        case .full: "すべての言葉"
        case .reduced: "登録された語句だけ"
        }
    }
}
