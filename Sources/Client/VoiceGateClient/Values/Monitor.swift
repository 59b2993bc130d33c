import Foundation
import VoiceGateWire

extension MonitorEvent {
    /// The events for which a monitor started this process, oldest first; empty if no monitor did.
    ///
    /// - Parameter environment: of the process.
    public static func launching(environment: [String: String] = ProcessInfo.processInfo.environment) -> [MonitorEvent]
    {
        let decoder = JSONCoding.decoder()
        return (environment["VOICEGATE_EVENTS"] ?? "").split(separator: "\n").compactMap {
            try? decoder.decode(MonitorEvent.self, from: Data($0.utf8))
        }
    }
}
