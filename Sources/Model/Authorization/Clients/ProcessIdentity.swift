/// One process for as long as it lives: a process identifier alone is used again after its process has ended.
public struct ProcessIdentity: Sendable, Hashable, Codable {
    public let processIdentifier: Int32
    /// Field 22 of `/proc/PID/stat`: clock ticks between boot and the process's start.
    public let startTime: UInt64

    public init(processIdentifier: Int32, startTime: UInt64) {
        self.processIdentifier = processIdentifier
        self.startTime = startTime
    }
}
