extension MerkleHash {
    /// - Returns: `nil` unless the text is what `base64` writes.
    public init?(base64: some Sequence<UInt8>) {
        guard let bytes = StrictBase64.decode(base64) else { return nil }
        self.init(bytes: bytes)
    }

    /// - Returns: `nil` unless the text is what `base64` writes.
    public init?(base64: String) { self.init(base64: base64.utf8) }
}
