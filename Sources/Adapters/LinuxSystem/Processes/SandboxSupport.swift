import CLinux

/// What the kernel offers to this process for the sandbox (`sandbox.h`).
public struct SandboxSupport: Sendable, Hashable {
    /// Landlock's ABI version; 0 without Landlock.
    public let landlock: Int
    /// Whether a process may have its own user, pid and IPC namespace.
    public let hasNamespaces: Bool

    public init(landlock: Int, hasNamespaces: Bool) {
        self.landlock = landlock
        self.hasNamespaces = hasNamespaces
    }

    /// Starts a child process to try.
    public static func ofKernel() -> SandboxSupport {
        SandboxSupport(landlock: Int(vg_sandbox_landlock()), hasNamespaces: vg_sandbox_has_namespaces() == 1)
    }

    /// What is missing, with its consequence; each a sentence.
    public var gaps: [String] {
        var gaps: [String] = []
        if landlock == 0 {
            gaps.append(
                "The kernel has no Landlock: recognisers are confined by their system call filter alone, and engines of "
                    + "others are not started.")
        } else if landlock < 6 {
            gaps.append(
                "The kernel's Landlock (ABI \(landlock)) is older than ABI 6: a client without a network can send signals "
                    + "to other processes of its user.")
        }
        if !hasNamespaces {
            gaps.append(
                "The kernel gives this process no separate namespaces: what an engine started is ended by its process "
                    + "group, and a killed service may leave it behind.")
        }
        return gaps
    }
}
