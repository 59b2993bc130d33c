import RecognizerProtocol
import Testing

@Suite("Wyoming's framing")
struct WyomingDecoderTests {
    static let events = [
        WyomingEvent(type: "describe"),
        WyomingEvent(
            type: "transcribe", data: ["language": .string("en"), "n": .array([.number(1), .null, .bool(true)])]),
        WyomingEvent(type: "audio-chunk", data: ["rate": .number(16_000)], payload: [0, 10, 13, 10, 255, 123]),
        WyomingEvent(type: "audio-stop", payload: [10]),
    ]

    @Test("events are decoded wherever the bytes are split")
    func everySplit() throws {
        let bytes = try Self.events.flatMap { try $0.encoded() }
        for split in 0...bytes.count {
            var decoder = WyomingDecoder()
            var found: [WyomingEvent] = []
            for piece in [bytes[..<split], bytes[split...]] {
                decoder.append(piece)
                while let event = try decoder.next() { found.append(event) }
            }
            #expect(found == Self.events)
            #expect(decoder.isAtBoundary)
        }
    }

    @Test("events are decoded byte by byte")
    func byteByByte() throws {
        var decoder = WyomingDecoder()
        var found: [WyomingEvent] = []
        for byte in try Self.events.flatMap({ try $0.encoded() }) {
            decoder.append([byte])
            while let event = try decoder.next() { found.append(event) }
        }
        #expect(found == Self.events)
    }

    @Test("the bytes of another implementation are decoded")
    func foreignBytes() throws {
        var decoder = WyomingDecoder()
        let chunk = #"{"rate": 16000, "width": 2, "channels": 1, "timestamp": null}"#
        decoder.append(
            Array(
                (#"{"type": "audio-chunk", "version": "1.10.2", "data": {"rate": 8000, "x": 1}, "data_length": "#
                    + "\(chunk.utf8.count), \"payload_length\": 2}\n\(chunk)ab").utf8))
        let event = try #require(try decoder.next())
        #expect(event.type == "audio-chunk")
        #expect(event.data["rate"]?.integer == 16_000, "its own data wins over data in the header")
        #expect(event.data["x"]?.integer == 1)
        #expect(event.data["timestamp"] == .null)
        #expect(event.payload == Array("ab".utf8))
        #expect(try decoder.next() == nil)
    }

    static let malformed: [(String, ProtocolError.Code)] = [
        ("\n", .headerMalformed), ("{}\n", .headerMalformed), ("[]\n", .headerMalformed),
        ("GET / HTTP/1.1\r\n", .headerMalformed),
        (#"{"type": 1}"# + "\n", .headerMalformed), (#"{"type": ""}"# + "\n", .headerMalformed),
        (#"{"type": "x", "data": 5}"# + "\n", .headerMalformed),
        (#"{"type": "x", "data_length": -1}"# + "\n", .headerMalformed),
        (#"{"type": "x", "data_length": 1.5}"# + "\n", .headerMalformed),
        (#"{"type": "x", "data_length": "7"}"# + "\n", .headerMalformed),
        (#"{"type": "x", "data_length": 1e400}"# + "\n", .headerMalformed),
        (#"{"type": "x", "payload_length": 9223372036854775808}"# + "\n", .headerMalformed),
        (#"{"type": "x", "data_length": 2097153}"# + "\n", .dataTooLong),
        (#"{"type": "x", "payload_length": 2097153}"# + "\n", .payloadTooLong),
        (#"{"type": "x", "data_length": 2}"# + "\n[]", .dataMalformed),
        (#"{"type": "x", "data_length": 4}"# + "\n{\"a\"", .dataMalformed),
        (String(repeating: " ", count: 65_537), .headerTooLong),
        (String(repeating: "[", count: 60_000) + "\n", .headerMalformed),
    ]

    @Test("a breach of the protocol is refused, and everything after it", arguments: malformed)
    func refusal(text: String, code: ProtocolError.Code) throws {
        var decoder = WyomingDecoder()
        decoder.append(Array(text.utf8))
        #expect(throws: ProtocolError.self) { try decoder.next() }
        decoder.append(try WyomingEvent(type: "ping").encoded())
        do {
            _ = try decoder.next()
            Issue.record("an event came after the stream broke")
        } catch {
            #expect(error.code == .outOfStep)
        }
    }

    @Test("each refusal names its cause", arguments: malformed)
    func cause(text: String, code: ProtocolError.Code) {
        var decoder = WyomingDecoder()
        decoder.append(Array(text.utf8))
        do {
            _ = try decoder.next()
            Issue.record("nothing was refused")
        } catch {
            #expect(error.code == code)
        }
    }

    @Test("a header line without an end is refused before it grows")
    func endlessHeader() throws {
        var decoder = WyomingDecoder()
        var taken = 0
        #expect(throws: ProtocolError.self) {
            while taken < 10_000_000 {
                decoder.append([UInt8](repeating: UInt8(ascii: "x"), count: 4_096))
                taken += 4_096
                _ = try decoder.next()
            }
        }
        #expect(taken <= 65_536 + 4_096)
    }

    @Test("an event that the other side would refuse is not sent")
    func unsendable() {
        #expect(throws: ProtocolError.self) { try WyomingEvent(type: "x", data: ["n": .number(.nan)]).encoded() }
        #expect(throws: ProtocolError.self) {
            try WyomingEvent(type: "x", payload: [UInt8](repeating: 0, count: 2_097_153)).encoded()
        }
        #expect(throws: ProtocolError.self) {
            try WyomingEvent(type: String(repeating: "x", count: 70_000)).encoded()
        }
    }
}
