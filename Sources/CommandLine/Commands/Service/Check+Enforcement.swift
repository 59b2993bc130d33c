extension Check {
    /// Whether the microphone can be reached past the service, by each way there is.
    static let enforcement = Check("enforcement") { facts in
        guard let enforcement = facts.enforcement else {
            return [
                Finding(
                    "enforcement", .note,
                    "Nothing is enforced on this machine: there is no user of the service's own.",
                    nextStep: "To enforce it, install VoiceGate's package; Documentation/Installation.md.")
            ]
        }
        return [udevRule(enforcement)] + nodes(enforcement) + [group(enforcement)] + users(enforcement)
            + [socket(enforcement), polkitAction(enforcement)] + units(enforcement)
    }

    private static let renew =
        "As root: udevadm control --reload; udevadm trigger --subsystem-match=sound --action=change"

    private static func udevRule(_ facts: EnforcementFacts) -> Finding {
        facts.hasUdevRule
            ? Finding("udevRule", .well, "udev gives capture devices to the service.")
            : Finding(
                "udevRule", .attention, "No udev rule gives capture devices to the service, or one in /etc hides it.",
                nextStep: "Install the package anew, and look at /etc/udev/rules.d/72-voicegate.rules. " + renew)
    }

    private static func nodes(_ facts: EnforcementFacts) -> [Finding] {
        guard !facts.nodes.isEmpty else { return [Finding("nodes", .note, "There is no capture device to protect.")] }
        var findings: [Finding] = []
        for node in facts.nodes {
            let isOwned = node.owner == 0 && facts.group.map { $0.identifier == node.group } == true
            if !isOwned || node.mode & 0o007 != 0 {
                let mode = String(node.mode, radix: 8)
                findings.append(
                    Finding(
                        "nodes", .attention,
                        "\(node.path) is not the service's alone: user \(node.owner), group \(node.group), mode \(mode).",
                        nextStep: renew))
            }
            findings += accessList(of: node) + uaccess(of: node)
        }
        return findings.isEmpty
            ? [
                Finding(
                    "nodes", .well,
                    "Capture devices are the service's: \(facts.nodes.map(\.path).joined(separator: ", ")).")
            ]
            : findings
    }

    private static func accessList(of node: CaptureNode) -> [Finding] {
        guard let list = node.accessList else {
            return [Finding("acl", .unknown, "Whether \(node.path) has an access list cannot be seen from here.")]
        }
        guard !list.readers.isEmpty else { return [] }
        let who = list.readers.map { ($0.kind == .user ? "user " : "group ") + "\($0.identifier)" }
        return [
            Finding(
                "acl", .attention, "An access list lets \(who.joined(separator: ", ")) open \(node.path).",
                nextStep: "As root: setfacl -b \(node.path)")
        ]
    }

    private static func uaccess(of node: CaptureNode) -> [Finding] {
        switch node.isTaggedUaccess {
        case true?:
            [
                Finding(
                    "uaccess", .attention,
                    "udev gives \(node.path) to whoever sits at the machine (uaccess), with the next login at the latest.",
                    nextStep: renew)
            ]
        case nil: [Finding("uaccess", .unknown, "udev says nothing about \(node.path).", nextStep: renew)]
        case false?: []
        }
    }

    private static func group(_ facts: EnforcementFacts) -> Finding {
        guard let group = facts.group else {
            return Finding(
                "group", .attention,
                "The group \(EnforcementGathering.name) is missing, so that the service has no device.",
                nextStep: "As root: systemd-sysusers; then: " + renew)
        }
        guard !group.members.isEmpty else {
            return Finding("group", .well, "Nobody but the service is in its group.")
        }
        return Finding(
            "group", .attention,
            "\(group.members.joined(separator: ", ")) may open the microphone past the service, as part of its group.",
            nextStep: "As root: "
                + group.members.map { "gpasswd --delete \($0) \(EnforcementGathering.name)" }.joined(separator: "; "))
    }

    private static func users(_ facts: EnforcementFacts) -> [Finding] {
        facts.nodes.compactMap { node in
            guard let readers = node.readers else {
                return Finding(
                    "users", .unknown, "Which users could open \(node.path) is for root to find out.",
                    nextStep: "As root: voicegate doctor")
            }
            guard !readers.isEmpty else { return nil }
            return Finding(
                "users", .attention, "\(readers.joined(separator: ", ")) could open \(node.path) past the service.",
                nextStep: "See what gives them that, in the lines about nodes, acl and group; then ask again.")
        }
    }

    private static func socket(_ facts: EnforcementFacts) -> Finding {
        let folder = facts.socketFolder
        guard folder.isThere, let owner = facts.socketOwner else {
            return Finding(
                "socket", .attention, "The machine's own service has no socket, so that programs do not find it.",
                nextStep: "As root: systemctl enable --now voicegate.socket")
        }
        guard folder.isFolder, folder.owner == 0, folder.mode & 0o022 == 0, owner == 0 else {
            return Finding(
                "socket", .attention,
                "\(folder.path) or its socket is not root's alone, so that programs do not trust it.",
                nextStep:
                    "As root: systemctl stop voicegate.socket; rm -r \(folder.path); systemctl start voicegate.socket")
        }
        return Finding("socket", .well, "Root alone can put a socket into \(folder.path).")
    }

    private static func polkitAction(_ facts: EnforcementFacts) -> Finding {
        switch (facts.hasPolkitAction, facts.hasPkcheck) {
        case (true, true): Finding("polkitAction", .well, "polkit confirms what users decide.")
        case (true, false):
            Finding(
                "polkitAction", .note,
                "polkit is missing, so that users decide nothing by themselves; root decides for them.",
                nextStep: "apt install polkitd, or voicegate settings CLIENT --allow RESOURCE --user NAME")
        case (false, _):
            Finding(
                "polkitAction", .attention, "polkit does not know what it is to confirm.",
                nextStep: "Install the package anew: /usr/share/polkit-1/actions/io.voicegate.policy is missing.")
        }
    }

    private static func units(_ facts: EnforcementFacts) -> [Finding] {
        switch facts.isSocketEnabled {
        case true?: [Finding("units", .well, "The service's socket is opened when the machine starts.")]
        case false?:
            [
                Finding(
                    "units", .attention, "The service's socket is not opened when the machine starts.",
                    nextStep: "As root: systemctl enable --now voicegate.socket")
            ]
        case nil: [Finding("units", .unknown, "systemd does not run here, so something else has to start the service.")]
        }
    }
}
