/// What a form may have at the most, whoever sends it.
enum MultipartBounds {
    /// Bytes of a boundary (RFC 2046, section 5.1.1).
    static let boundary = 70
    static let parts = 64
    static let headLines = 16
    /// Bytes of a line of a part's head.
    static let line = 4096
    /// Bytes before the first and behind the last boundary.
    static let preamble = 4096
    /// Bytes of a field that is no file.
    static let field = 64 << 10
}
