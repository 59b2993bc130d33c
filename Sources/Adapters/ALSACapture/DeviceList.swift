import CALSA
import Glibc
import Speech

/// The PCMs that the configuration declares, as a listing shows them.
enum DeviceList {
    private static let defaultName = "default"

    static func read() -> [CaptureDevice] {
        PCMDefinition.forgetConfiguration()
        var devices: [CaptureDevice] = []
        for hint in PCMDefinition.hints() where hint.name != defaultName {
            // A name that no client may use is no device of ours; “null” hears nothing.
            guard let name = try? ALSADeviceName(hint.name) else { continue }
            devices.append(device(name, description: hint.description))
        }
        if let name = try? ALSADeviceName(defaultName) {
            devices.insert(device(name, description: "The device that ALSA uses when none is named"), at: 0)
        }
        return devices
    }

    private static func device(_ name: ALSADeviceName, description: String) -> CaptureDevice {
        CaptureDevice(name: name.text, description: description, problem: problem(name))
    }

    private static func problem(_ name: ALSADeviceName) -> String? {
        do throws(CaptureError) {
            let definition = try PCMDefinition.read(name)
            for hardware in definition.hardware {
                let card = snd_card_get_index(hardware.card)
                guard card >= 0 else { throw .opening(name.text, error: -ENOENT) }
                // By permission only: opening the node would be a touch of the microphone.
                if access("/dev/snd/pcmC\(card)D\(hardware.device)c", R_OK) != 0 {
                    throw .opening(name.text, error: -errno)
                }
            }
            return nil
        } catch { return error.message }
    }
}
