import Speech

/// `GET /v1/devices`
public struct DevicesReply: Sendable, Hashable, Codable {
    public var devices: [CaptureDevice]

    public init(devices: [CaptureDevice]) {
        self.devices = devices
    }
}
