/// Codes of OpenAI's calls, each with its status.
public enum OpenAIErrorCode: String, Sendable, Codable, Hashable, CaseIterable {
    /// 403: the gate, or a rule of who may call what. `reason` and `settings` say more.
    case permissionDenied = "permission_denied"
    /// 400: a field that is missing, unknown, or has no value that is taken.
    case invalidValue = "invalid_value"
    /// 400: the file is no sound that can be read.
    case invalidFile = "invalid_file"
    /// 404
    case modelNotFound = "model_not_found"
    /// 413
    case tooLarge = "too_large"
    /// 429: as many sessions run as may. Worth another try.
    case busy
    /// 503: the recogniser failed.
    case recognizerUnavailable = "recognizer_unavailable"
    /// 503: the log cannot be written.
    case storageUnavailable = "storage_unavailable"
    /// 500
    case internalError = "internal_error"

    public var type: String {
        switch self {
        case .permissionDenied: "permission_error"
        case .invalidValue, .invalidFile, .modelNotFound, .tooLarge: "invalid_request_error"
        case .busy: "rate_limit_error"
        case .recognizerUnavailable, .storageUnavailable, .internalError: "server_error"
        }
    }
}
