/// Whether the microphone can be opened without the service.
extension Check {
    static let enforcement = Check(name: "enforcement") { facts, found in
        guard let facts = facts.enforcement else {
            return found.note(
                "Nothing is enforced on this machine, because the service does not run as a separate user.",
                next: "To enforce it, install VoiceGate's package: Documentation/Installation.md")
        }
        if !facts.hasUdevRule, facts.isSocketEnabled == false {
            return found.note(
                "Enforcement is switched off on this machine, so every program can open the microphone.",
                next: "As root: dpkg-reconfigure voicegate")
        }
        if facts.hasUdevRule {
            found.well("udev assigns capture devices to the service.", check: "udevRule")
        } else {
            found.attention(
                "No udev rule assigns capture devices to the service, or a file in /etc overrides it.",
                next: "Reinstall the package, and check /etc/udev/rules.d/72-voicegate.rules. " + renew,
                check: "udevRule")
        }
        nodes(facts, &found)
        group(facts, &found)
        users(facts, &found)
        socket(facts, &found)
        polkit(facts, &found)
        switch facts.isSocketEnabled {
        case true?: found.well("The service's socket is opened at boot.", check: "units")
        case false?:
            found.attention(
                "The service's socket is not opened at boot.",
                next: "As root: systemctl enable --now voicegate.socket", check: "units")
        case nil: found.unknown("systemd is not running, so another program must start the service.", check: "units")
        }
        openPaths(facts.openPaths, &found)
    }

    private static let renew =
        "As root: udevadm control --reload; udevadm trigger --subsystem-match=sound --action=change"

    private static func nodes(_ facts: EnforcementFacts, _ found: inout Findings) {
        let (before, folder) = (found.all.count, facts.folder)
        if !folder.isThere {
            found.attention(
                "\(folder.path) is missing, so capture devices stay where sound servers drop their cards.",
                next: "As root: systemd-tmpfiles --create; systemctl restart voicegate. Then: " + renew, check: "nodes")
        } else if !folder.isFolder || folder.owner != 0 || folder.mode & 0o027 != 0 {
            found.attention(
                "\(folder.path) is open to others: user \(folder.owner), mode \(String(folder.mode, radix: 8)).",
                next: "As root: chown root \(folder.path); chmod 750 \(folder.path)", check: "nodes")
        }
        for node in facts.nodes {
            let isOwned = node.owner == 0 && facts.group.map { $0.identifier == node.group } == true
            if !isOwned || node.mode & 0o007 != 0 {
                let mode = String(node.mode, radix: 8)
                found.attention(
                    "\(node.path) is not private to the service: user \(node.owner), group \(node.group), mode \(mode).",
                    next: renew, check: "nodes")
            }
            if node.path.hasPrefix(CaptureUse.publicFolder) {
                found.attention(
                    "\(node.path) is not in \(folder.path), so sound servers drop its card.", next: renew,
                    check: "nodes")
            }
            if node.accessList == nil {
                found.unknown("The access list of \(node.path) cannot be read.", check: "acl")
            } else if let readers = node.accessList?.readers, !readers.isEmpty {
                let names = readers.map { ($0.kind == .user ? "user " : "group ") + "\($0.identifier)" }
                found.attention(
                    "An access list lets \(names.joined(separator: ", ")) open \(node.path).",
                    next: "As root: setfacl -b \(node.path)", check: "acl")
            }
            switch node.isTaggedUaccess {
            case true?:
                found.attention(
                    "udev gives \(node.path) to the user at the machine (uaccess), at the latest with the next login.",
                    next: renew, check: "uaccess")
            case nil: found.unknown("udev has no record of \(node.path).", next: renew, check: "uaccess")
            case false?: break
            }
        }
        guard found.all.count == before else { return }
        if !facts.hasAllNodes {
            found.well(
                "No capture device is outside of \(folder.path), where only the service finds it.", check: "nodes")
        } else if facts.nodes.isEmpty {
            found.note("There is no capture device to protect.", check: "nodes")
        } else {
            found.well(
                "Capture devices are private to the service: \(facts.nodes.map(\.path).joined(separator: ", ")).",
                check: "nodes")
        }
    }

    private static func group(_ facts: EnforcementFacts, _ found: inout Findings) {
        guard let group = facts.group else {
            return found.attention(
                "The group \(EnforcementFacts.name) is missing, so the service has no access to devices.",
                next: "As root: systemd-sysusers; then: " + renew, check: "group")
        }
        guard !group.members.isEmpty else {
            return found.well("The service's group has no other members.", check: "group")
        }
        found.attention(
            "\(group.members.joined(separator: ", ")) can open the microphone without the service, as a member of its "
                + "group.",
            next: "As root: "
                + group.members.map { "gpasswd --delete \($0) \(EnforcementFacts.name)" }.joined(separator: "; "),
            check: "group")
    }

    private static func users(_ facts: EnforcementFacts, _ found: inout Findings) {
        if facts.folder.isThere, !facts.hasAllNodes {
            found.unknown(
                "Only root can find out which capture devices there are, and who could open them.",
                next: "As root: voicegate doctor", check: "users")
        }
        for node in facts.nodes {
            guard let readers = node.readers else {
                found.unknown(
                    "Only root can find out which users could open \(node.path).", next: "As root: voicegate doctor",
                    check: "users")
                continue
            }
            guard !readers.isEmpty else { continue }
            found.attention(
                "\(readers.joined(separator: ", ")) could open \(node.path) without the service.",
                next: "Find the cause in the lines nodes, acl and group; then check again.", check: "users")
        }
    }

    private static func socket(_ facts: EnforcementFacts, _ found: inout Findings) {
        let folder = facts.socketFolder
        guard folder.isThere, let owner = facts.socketOwner else {
            return found.attention(
                "The machine's service has no socket, so programs cannot find it.",
                next: "As root: systemctl enable --now voicegate.socket", check: "socket")
        }
        guard folder.isFolder, folder.owner == 0, folder.mode & 0o022 == 0, owner == 0 else {
            return found.attention(
                "\(folder.path) or its socket is writable by users other than root, so programs do not trust it.",
                next:
                    "As root: systemctl stop voicegate.socket; rm -r \(folder.path); systemctl start voicegate.socket",
                check: "socket")
        }
        found.well("Only root can create a socket in \(folder.path).", check: "socket")
    }

    private static func polkit(_ facts: EnforcementFacts, _ found: inout Findings) {
        switch (facts.hasPolkitAction, facts.hasPkcheck) {
        case (true, true): found.well("polkit confirms the users' decisions.", check: "polkitAction")
        case (true, false):
            found.note(
                "polkit is missing, so only root can decide for users.",
                next: "apt install polkitd, or voicegate settings CLIENT --allow RESOURCE --user NAME",
                check: "polkitAction")
        case (false, _):
            found.attention(
                "polkit does not know VoiceGate's action.",
                next: "Reinstall the package: /usr/share/polkit-1/actions/io.voicegate.policy is missing.",
                check: "polkitAction")
        }
    }

    /// What enforcement leaves open. None of it passes ALSA.
    private static func openPaths(_ paths: OpenPaths, _ found: inout Findings) {
        let before = found.all.count
        if paths.hasBluetooth {
            found.note(
                "Enforced for ALSA; a Bluetooth microphone is open: headsets do not use ALSA.",
                next: "To close it, as root: systemctl disable --now bluetooth", check: "openPaths")
        }
        for server in paths.soundServers {
            let process = "\(server.name) (process \(server.process))"
            switch server.networkModules {
            case nil:
                found.unknown(
                    "Only root can find out whether \(process) receives sound from other machines.",
                    next: "As root: voicegate doctor", check: "openPaths")
            case let modules? where !modules.isEmpty:
                found.note(
                    "\(process) can receive sound from other machines: \(modules.joined(separator: ", ")).",
                    check: "openPaths")
            case _?: break
            }
        }
        if !paths.soundServers.isEmpty {
            let names = Set(paths.soundServers.map(\.name)).sorted().joined(separator: ", ")
            found.note(
                "Every program can record what the speakers play, such as the other side of a call (monitors of \(names)).",
                check: "openPaths")
        }
        if paths.isTracingOpen {
            found.note(
                "Programs of one user can read each other's memory, and so what a granted program hears.",
                next: "As root: sysctl kernel.yama.ptrace_scope=1, and a file in /etc/sysctl.d", check: "openPaths")
        }
        if found.all.count == before {
            found.well("No path to a microphone besides ALSA was found.", check: "openPaths")
        }
    }
}
