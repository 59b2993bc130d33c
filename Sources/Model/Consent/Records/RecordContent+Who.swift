import Authorization

/// The fields that say who and about what.
extension RecordContent {
    static func who(_ requester: Requester) -> Fields {
        evidence(requester.caller) + [
            "client": .string(requester.client.identifier.rawValue),
            "clientName": .string(requester.client.displayName),
            "user": .integer(Int64(requester.caller.user)),
            "executable": .string(requester.caller.executable.path),
            "executableSHA256": .string(requester.caller.executable.sha256),
        ]
    }

    /// How the program was told; where VoiceGate's command line asked for it, its own process, too.
    private static func evidence(_ caller: Caller) -> Fields {
        var fields: Fields = ["evidence": .string(caller.evidence.kind)]
        switch caller.evidence {
        case .flatpak(let name), .snap(let name): fields["sandbox"] = .string(name)
        case .script(let interpreter): fields["interpreter"] = .string(interpreter.path)
        case .untrusted(let reason): fields["distrust"] = .string(reason)
        case .interpreter, .executable: break
        }
        if let unit = caller.unit { fields["unit"] = .string(unit.description) }
        if let responsible = caller.responsible {
            fields["responsibleProcess"] = .integer(Int64(responsible.processIdentifier))
        }
        return fields
    }

    static func about(_ resource: Resource) -> Fields { ["resource": .string(resource.rawValue)] }

    static func about(_ key: DecisionKey) -> Fields {
        about(key.resource) + ["client": .string(key.client.rawValue), "user": .integer(Int64(key.user))]
    }

    /// What a person does for themselves, by VoiceGate's own command.
    static func personal(_ caller: Caller) -> Fields { decided(by: caller) + ["user": .integer(Int64(caller.user))] }

    /// Who decided, or asked for something, by VoiceGate's own command.
    static func decided(by caller: Caller) -> Fields {
        [
            "decidedByUser": .integer(Int64(caller.user)),
            "decidedByExecutable": .string(caller.executable.path),
            "decidedByExecutableSHA256": .string(caller.executable.sha256),
        ]
    }
}
