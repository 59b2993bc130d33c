extension Check {
    static let engine = Check("engine") { facts in
        guard let diagnosis = facts.diagnosis else { return unknown("engine", "Who recognises speech") }
        guard let engine = diagnosis.engine else {
            return [Finding("engine", .well, "Speech is recognised by the service itself and leaves it nowhere.")]
        }
        let sends = "What is dictated is sent to \(engine.name), as every prompt says."
        guard let problem = engine.problem else { return [Finding("engine", .note, sends)] }
        return [
            Finding(
                "engine", .attention, "\(sends) It failed last: \(problem)",
                nextStep: "Start it again, or take engine out of config.yaml; until then the service recognises by "
                    + "itself.")
        ]
    }
}
