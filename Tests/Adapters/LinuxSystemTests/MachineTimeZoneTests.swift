import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite("The machine's time zone")
struct MachineTimeZoneTests {
    @Test("it is the link's current target, also after a change")
    func link() throws {
        let folder = try TemporaryFolder()
        let link = folder.path + "/localtime"
        for name in ["Europe/Berlin", "America/Argentina/Ushuaia"] {
            unlink(link)
            symlink("/usr/share/zoneinfo/" + name, link)
            #expect(MachineTimeZone.current(environment: [:], link: link).identifier == name)
        }
    }

    @Test(
        "TZ has precedence, in each of tzset(3)'s forms",
        arguments: [
            ("Asia/Tokyo", "Asia/Tokyo"), (":Asia/Tokyo", "Asia/Tokyo"), ("posix/Asia/Tokyo", "Asia/Tokyo"),
            ("right/Asia/Tokyo", "Asia/Tokyo"), (":/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"),
            ("JST-9", "Asia/Tokyo"), ("UTC+3", "Etc/GMT+3"), ("<-03>3", "Etc/GMT+3"),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "Europe/Berlin"), ("EST5EDT", "America/New_York"), ("nowhere", "Etc/UTC"),
        ])
    func environment(_ value: String, _ same: String) throws {
        let folder = try TemporaryFolder()
        symlink("/usr/share/zoneinfo/Europe/Berlin", folder.path + "/localtime")
        let expected = try #require(TimeZone(identifier: same))
        // The C library's answer for `value`, which is read from this process's environment.
        let zone = MachineTimeZone.current(environment: ["TZ": value], link: folder.path + "/localtime") {
            expected.secondsFromGMT(for: $0)
        }
        for day in stride(from: 0.0, to: 360, by: 20) {
            let date = Date(timeIntervalSince1970: 1_790_000_000 + day * 86_400)
            #expect(zone.secondsFromGMT(for: date) == expected.secondsFromGMT(for: date))
        }
    }

    @Test("without a link it is the C library's")
    func none() throws {
        let folder = try TemporaryFolder()
        #expect(MachineTimeZone.current(environment: [:], link: folder.path + "/none") == .current)
    }
}
