import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Alone: a tone that takes too long to be played is given up.
@Suite("Tones around a dictation", .timeLimit(.minutes(3)))
struct TonesSerialTests {
    @Test("the tones are played, the first is over before the device opens and the last begins after it is closed")
    func tones() async throws {
        let folder = try TemporaryFolder()
        var microphone = VirtualMicrophone(name: "mic", file: Programs.goForward)
        microphone.openedFile = folder.path + "/opened"
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration(
                [microphone],
                text: "pcm.tones { type file slave.pcm null format raw file \"|cat > \(folder.path)/tone-$$\" }\n"),
            answers: ServiceUnderTest.yesToAll)
        let (status, output, errors) = try await service.run([
            "dictate", "--stop-after-silence", "1", "--tones", "--tone-device", "tones",
        ])
        #expect(status == 0, "\(errors)")
        #expect(output == ["go forward ten meters"])
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("tone-") }
        let times = try files.map { name -> (modified: Double, size: Int) in
            var status = stat()
            #expect(stat(folder.path + "/" + name, &status) == 0)
            let time = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
            return (time, try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name)).count)
        }.sorted { $0.modified < $1.modified }
        try #require(times.count == 2)
        // 120 ms of 16 bits at 48 kHz.
        #expect(times.allSatisfy { $0.size >= 11_520 }, "\(times)")
        // From the monotonic clock to that of files.
        var (monotonic, real) = (timespec(), timespec())
        clock_gettime(CLOCK_MONOTONIC, &monotonic)
        clock_gettime(CLOCK_REALTIME, &real)
        let offset =
            Double(real.tv_sec - monotonic.tv_sec) + Double(real.tv_nsec - monotonic.tv_nsec) / 1e9
        let opened = VirtualMicrophoneLog(folder.path + "/opened")
        let open = try #require(opened.entries.first { $0.event == .open })
        let close = try #require(opened.entries.last { $0.event == .close })
        // Files have the time of the kernel's last tick, which is up to 10 ms old.
        #expect(times[0].modified < Double(open.nanoseconds) / 1e9 + offset + 0.011)
        #expect(times[1].modified > Double(close.nanoseconds) / 1e9 + offset - 0.011)
    }
}
