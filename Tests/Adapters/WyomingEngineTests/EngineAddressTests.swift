import Testing

@testable import WyomingEngine

@Suite("Addresses of external engines")
struct EngineAddressTests {
    @Test(
        "a Unix socket and a loopback address are local; everything else is remote",
        arguments: [
            ("wyoming:unix:///run/user/1000/whisper.sock", true), ("wyoming:tcp://127.0.0.1:10300", true),
            ("wyoming:tcp://127.9.9.9:1", true), ("wyoming:tcp://[::1]:10300", true),
            ("wyoming:tcp://localhost:10300", false), ("wyoming:tcp://10.0.0.1:10300", false),
            ("wyoming:tcp://whisper.example:10300", false), ("wyoming:tcp://[::ffff:127.0.0.1]:1", false),
            ("wyoming:tcp://0.0.0.0:10300", false), ("wyoming:tcp://2130706433:10300", false),
        ])
    func place(_ text: String, _ isLocal: Bool) throws {
        let address = try #require(EngineAddress(text))
        #expect(address.isLocal == isLocal)
        #expect("\(address)" == text)
    }

    @Test(
        "other texts are not an address",
        arguments: [
            "", "wyoming:", "unix:///run/w", "wyoming:unix://run/w", "wyoming:unix:///", "wyoming:unix:///run/",
            "wyoming:tcp://127.0.0.1", "wyoming:tcp://127.0.0.1:0", "wyoming:tcp://127.0.0.1:99999",
            "wyoming:tcp://:1", "wyoming:tcp://a@b:1", "wyoming:tcp://a/b:1", "wyoming:http://127.0.0.1:1",
            "wyoming:unix:///a b", "wyoming:unix:///a\u{202E}b", "wyoming:unix:///" + String(repeating: "x", count: 90),
        ])
    func noPlace(_ text: String) { #expect(EngineAddress(text) == nil) }
}
