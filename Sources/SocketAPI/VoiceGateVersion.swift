/// The version that the programs name with `--version`, and the service in `GET /v1/health`.
public let voiceGateVersion = "0.1.0"
