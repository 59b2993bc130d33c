/// What a part of a form says of itself.
struct PartHead: Equatable {
    let name: String
    let fileName: String?

    /// - Parameter lines: of the part's head, without their ends.
    /// - Throws: `RouteError` for a part without a name, or whose bytes are not as they are.
    init(lines: [String]) throws(RouteError) {
        var disposition: MediaType?
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else {
                throw RouteError(.badRequest, "A line of a part's head is no header.")
            }
            let value = String(line[line.index(after: colon)...])
            switch line[..<colon].lowercased() {
            case "content-disposition":
                guard disposition == nil else {
                    throw RouteError(.badRequest, "A part of the form has two dispositions.")
                }
                disposition = MediaType(value)
            case "content-transfer-encoding":
                // RFC 7578, section 4.7: no longer to be used; these mean that nothing was done.
                guard ["binary", "8bit", "7bit"].contains(MediaType(value)?.value) else {
                    throw RouteError(.badRequest, "A part of the form is encoded; send it as it is.")
                }
            default:
                break
            }
        }
        guard let disposition, disposition.value == "form-data", let name = disposition.parameters["name"] else {
            throw RouteError(.badRequest, "A part of the form has no name.")
        }
        self.name = name
        fileName = disposition.parameters["filename"]
    }
}
