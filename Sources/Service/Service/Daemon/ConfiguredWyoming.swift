/// `wyoming:` in `config.yaml`.
struct ConfiguredWyoming: Decodable {
    /// An address of this machine alone, such as `127.0.0.1:10300`; absent: the Unix socket only.
    var tcp: String?
    /// What the model recognises (BCP 47), where it is not one of the catalogue.
    var language: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.mapping(of: ["tcp", "language"])
        tcp = try container.decodeIfPresent(String.self, forKey: "tcp")
        language = try container.decodeIfPresent(String.self, forKey: "language")
    }

    /// What cannot be used about it, or `nil`. Whether the address can be had is found when it is listened on.
    var problem: String? {
        guard let language, language.wholeMatch(of: /[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*/) == nil else { return nil }
        return "the language of wyoming is a tag such as de or de-AT"
    }
}
