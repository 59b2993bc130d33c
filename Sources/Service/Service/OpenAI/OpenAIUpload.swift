import Synchronization

/// The body of OpenAI's transcription call: the fields are gathered, the file is handed on as it comes.
///
/// `begin` reads up to the file. The sequence is the file; at its end the fields behind it are read, and only when those are
/// in order is the file over. So what is wrong with them ends the recognition like a file that is cut off.
final class OpenAIUpload: AsyncSequence, @unchecked Sendable {
    // Safe: handed from the one who calls `begin` to the one who reads the file, and never used by two at a time.
    private let reader: MultipartReader<BoundedBody.AsyncIterator>
    private let model: ServedModel
    private let state = Mutex<(form: OpenAIForm, failure: RouteError?)>((OpenAIForm(), nil))

    init(_ body: BoundedBody, boundary: String, model: ServedModel) {
        reader = MultipartReader(body.makeAsyncIterator(), boundary: boundary)
        self.model = model
    }

    /// The fields as far as they were read.
    var form: OpenAIForm { state.withLock { $0.form } }

    /// What was wrong with the body behind the beginning of the file.
    var failure: RouteError? { state.withLock { $0.failure } }

    /// Reads the fields before the file; to be called once, before anything else is read.
    ///
    /// - Throws: `RouteError`, also where there is no file.
    func begin() async throws {
        while let head = try await reader.nextPart() {
            if head.name == "file" {
                // Others may still come behind the file; an answer that begins before must not.
                if form.streams { try form.check() }
                return
            }
            try await take(head, isLate: false)
        }
        throw RouteError(.invalidValue, "The form has no file. Send the sound as “file”.", field: "file")
    }

    private func take(_ head: PartHead, isLate: Bool) async throws {
        guard head.name != "file" else {
            throw RouteError(.invalidValue, "A form may have one file only.", field: "file")
        }
        var bytes: [UInt8] = []
        while let piece = try await reader.nextPiece() {
            bytes += piece
            guard bytes.count <= MultipartBounds.field else {
                throw RouteError(
                    .tooLarge, "A field of the form may have at most \(MultipartBounds.field >> 10) KiB.",
                    field: head.name)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw RouteError(.invalidValue, "A field of the form is not UTF-8.", field: head.name)
        }
        var form = form
        try form.take(head.name, text, isLate: isLate, model: model)
        state.withLock { [form] in $0.form = form }
    }

    private func nextPiece() async throws -> [UInt8]? {
        do {
            if let piece = try await reader.nextPiece() { return piece }
            while let head = try await reader.nextPart() { try await take(head, isLate: true) }
            try form.check()
            return nil
        } catch let error as RouteError {
            state.withLock { $0.failure = error }
            throw error
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(upload: self) }

    struct Iterator: AsyncIteratorProtocol {
        let upload: OpenAIUpload

        func next() async throws -> [UInt8]? { try await upload.nextPiece() }
    }
}
