import Foundation
import Speech
import Testing

@Suite("Values of a capture")
struct CaptureValueTests {
    @Test("frames have 16 kHz")
    func format() { #expect(Frames.rate == 16_000) }

    @Test("an error reads as its message, and keeps ALSA's number beside it")
    func error() {
        let error = CaptureError(code: .deviceBusy, device: "hw:0", errorNumber: 16, message: "It is busy.")
        #expect("\(error)" == "It is busy.")
        #expect(error.errorNumber == 16)
        #expect(CaptureError(code: .deviceLost, device: "hw:0", message: "").errorNumber == 0)
    }

    @Test("a usable device has no problem in its JSON, and survives encoding and decoding")
    func device() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let good = CaptureDevice(name: "default", description: "Default", problem: nil)
        let bad = CaptureDevice(name: "hw:1", description: "USB", problem: "It is busy.")
        #expect(
            String(decoding: try encoder.encode([good, bad]), as: UTF8.self)
                == #"[{"description":"Default","name":"default"},"#
                + #"{"description":"USB","name":"hw:1","problem":"It is busy."}]"#)
        #expect(try JSONDecoder().decode([CaptureDevice].self, from: encoder.encode([good, bad])) == [good, bad])
    }
}
