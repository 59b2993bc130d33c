import Foundation
import TestSupport
import Testing

@testable import Server
@testable import SpeechRoutes

@Suite("The reader of forms")
struct MultipartReaderTests {
    /// Hands out what it was given, in pieces of one length.
    struct Pieces: AsyncIteratorProtocol {
        var bytes: ArraySlice<UInt8>
        let length: Int

        mutating func next() async throws -> [UInt8]? {
            guard !bytes.isEmpty else { return nil }
            defer { bytes = bytes.dropFirst(length) }
            return Array(bytes.prefix(length))
        }
    }

    private func parts(_ body: [UInt8], boundary: String = "b", length: Int = 7) async throws -> [String: [UInt8]] {
        let reader = MultipartReader(Pieces(bytes: body[...], length: length), boundary: boundary)
        var parts: [String: [UInt8]] = [:]
        while let head = try await reader.nextPart() {
            var content: [UInt8] = []
            while let piece = try await reader.nextPiece() { content += piece }
            parts[head.name] = content
        }
        return parts
    }

    private func part(_ name: String, _ content: some Sequence<UInt8>) -> [UInt8] {
        Array("--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n".utf8) + content + Array("\r\n".utf8)
    }

    private let end = Array("--b--\r\n".utf8)

    private func code(_ body: String) async -> String? {
        do {
            _ = try await parts(Array(body.utf8))
            return nil
        } catch {
            return (error as? RouteError)?.code.rawValue ?? "\(error)"
        }
    }

    @Test("a form has the same parts in pieces of any length", arguments: 1...64)
    func cuts(_ length: Int) async throws {
        let sound = Array("\r\n--\r\n-\r\n--a\r\r\n\n--b \u{0} --b--".utf8)
        let body = part("model", "whisper-1".utf8) + part("empty", "".utf8) + part("file", sound) + end
        let found = try await parts(body, length: length)
        #expect(found == ["model": Array("whisper-1".utf8), "empty": [], "file": sound])
    }

    @Test("random bytes are returned unchanged, with a preamble, an epilogue and spaces after a boundary")
    func randomBytes() async throws {
        var generator = SeededGenerator(seed: 2046)
        let sound = (0..<100_000).map { _ in
            // Many of the bytes that a boundary consists of.
            let common: UInt8 = [13, 10, 45][Int.random(in: 0..<3, using: &generator)]
            return Bool.random(using: &generator) ? UInt8.random(in: 0...255, using: &generator) : common
        }
        let body =
            Array("before\r\n--bou ndary \t\r\ncontent-disposition:form-data;name=file;filename=\"a\"\r\n\r\n".utf8)
            + sound + Array("\r\n--bou ndary--\r\nbehind".utf8)
        for length in [1, 3, 4_096, 200_000] {
            #expect(try await parts(body, boundary: "bou ndary", length: length) == ["file": sound])
        }
    }

    @Test("a form that is truncated anywhere is an error")
    func cutOff() async throws {
        let body = part("model", "x".utf8) + part("file", "0123456789".utf8) + Array("--b--".utf8)
        for length in 0..<body.count {
            await #expect(throws: RouteError.self, "\(length)") { try await parts(Array(body.prefix(length))) }
        }
        #expect(try await parts(body).count == 2)
    }

    @Test("malformed or unbounded input is an error, and is not buffered")
    func malformed() async {
        let head = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n"
        #expect(await code("no boundary at all" + String(repeating: "x", count: 10_000)) == "badRequest")
        #expect(await code("--b\nContent-Disposition: form-data; name=a\n\nx\n--b--") == "badRequest")
        #expect(await code("--bx\r\n\r\n--b--") == "badRequest")
        #expect(await code("--b\r\n\r\nno name\r\n--b--") == "badRequest")
        #expect(await code("--b\r\nno header\r\n\r\n\r\n--b--") == "badRequest")
        #expect(await code("--b\r\nContent-Disposition: attachment; name=a\r\n\r\n\r\n--b--") == "badRequest")
        #expect(await code("--b\r\nContent-Disposition: form-data; name=\"a\r\n\r\n\r\n--b--") == "badRequest")
        #expect(await code("--b\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\n\r\n--b--") == "badRequest")
        #expect(await code(head + "Content-Disposition: form-data; name=b\r\n\r\n\r\n--b--") == "badRequest")
        #expect(await code(head + "Content-Transfer-Encoding: base64\r\n\r\n\r\n--b--") == "badRequest")
        #expect(await code(head + "X: " + String(repeating: "x", count: 5_000) + "\r\n\r\n\r\n--b--") == "tooLarge")
        #expect(await code(head + String(repeating: "X: y\r\n", count: 20) + "\r\n\r\n--b--") == "tooLarge")
        #expect(await code(String(repeating: head + "\r\nx\r\n", count: 65) + "--b--") == "tooLarge")
        #expect(await code(head + "\r\nx\r\n--b--" + String(repeating: "x", count: 5_000)) == "badRequest")
    }

    @Test(
        "names as browsers, curl and Python write them",
        arguments: [
            (#"form-data; name="file"; filename="a b.wav""#, "file", "a b.wav"),
            (#"form-data; name="file"; filename="a\"b;c\\d.wav""#, "file", #"a"b;c\d.wav"#),
            (#"FORM-DATA;NAME=file ; filename="C:\speech.wav" ;"#, "file", #"C:\speech.wav"#),
            (#" form-data; name="timestamp_granularities[]""#, "timestamp_granularities[]", nil),
        ] as [(String, String, String?)])
    func names(_ value: String, _ name: String, _ file: String?) throws {
        let head = try PartHead(lines: ["Content-Type: audio/wav", "content-disposition:" + value])
        #expect(head.name == name)
        #expect(head.fileName == file)
    }

    @Test(
        "a boundary is what RFC 2046 allows",
        arguments: [
            ("multipart/form-data; boundary=abc", "abc"), (#"multipart/form-data; boundary="a b""#, "a b"),
            ("multipart/form-data; charset=utf-8; Boundary=----x'()+_,-./:=?", "----x'()+_,-./:=?"),
            ("multipart/form-data", nil), (#"multipart/form-data; boundary="""#, nil),
            (#"multipart/form-data; boundary="a ""#, nil), (#"multipart/form-data; boundary="ä""#, nil),
            ("multipart/form-data; boundary=" + String(repeating: "a", count: 71), nil),
        ] as [(String, String?)])
    func boundary(_ type: String, _ expected: String?) {
        #expect(MediaType(type)?.boundary == expected)
    }
}
