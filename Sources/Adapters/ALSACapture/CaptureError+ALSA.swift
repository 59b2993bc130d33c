import CALSA
import Glibc
import Speech

extension CaptureError {
    /// Translates what `snd_pcm_open` and the calls that follow it say; once, here.
    static func opening(_ device: String, error: Int32) -> CaptureError {
        let number = abs(error)
        let reason = String(cString: snd_strerror(-number))
        let (code, message): (Code, String) =
            switch number {
            case EBUSY, EAGAIN:
                (
                    .deviceBusy,
                    "Another program is using the microphone “\(device)”. Close it, or choose another device; "
                        + "`voicegate devices` lists them."
                )
            case EACCES, EPERM:
                (
                    .accessDenied,
                    "The system does not let this user open the microphone “\(device)”. Log in at the machine itself, "
                        + "or ask its administrator for access to the sound devices."
                )
            case ENOENT, ENODEV, ENXIO:
                (.deviceNotFound, notFound(device))
            case ECONNREFUSED, EHOSTDOWN, ETIMEDOUT, ECONNRESET:
                (
                    .inputOutput,
                    "The sound server behind “\(device)” does not answer (\(reason)). Start PipeWire or PulseAudio, "
                        + "then try again."
                )
            default:
                (
                    .inputOutput,
                    "The microphone “\(device)” cannot be opened (\(reason)). Look at its definition in ALSA's "
                        + "configuration, or choose another device; `voicegate devices` lists them."
                )
            }
        return CaptureError(code: code, device: device, errorNumber: number, message: message)
    }

    static func formatNotSupported(_ device: String, error: Int32) -> CaptureError {
        CaptureError(
            code: .formatNotSupported, device: device, errorNumber: abs(error),
            message:
                "The microphone “\(device)” cannot deliver 16 kHz mono, not even converted. Choose another device; "
                + "`voicegate devices` lists them.")
    }

    static func lost(_ device: String, error: Int32) -> CaptureError {
        CaptureError(
            code: .deviceLost, device: device, errorNumber: abs(error),
            message: "The microphone “\(device)” is gone. Plug it in again, or choose another device.")
    }

    static func broken(_ device: String, error: Int32) -> CaptureError {
        CaptureError(
            code: .inputOutput, device: device, errorNumber: abs(error),
            message:
                "The microphone “\(device)” answers with errors (\(String(cString: snd_strerror(-abs(error))))) and "
                + "opening it again did not help. Unplug it and plug it in again, or choose another device.")
    }

    static func stalled(_ device: String) -> CaptureError {
        CaptureError(
            code: .inputOutput, device: device, errorNumber: ETIMEDOUT,
            message: "The microphone “\(device)” delivers no data, and opening it again did not help. Unplug it and "
                + "plug it in again, or choose another device.")
    }

    static func notOpening(_ device: String) -> CaptureError {
        CaptureError(
            code: .inputOutput, device: device,
            message: "The microphone “\(device)” does not answer. Restart the sound server or choose another device; "
                + "`voicegate devices` lists them.")
    }

    static func permissionEnded(_ device: String) -> CaptureError {
        CaptureError(
            code: .permissionEnded, device: device,
            message: "The permission to use the microphone ended, so “\(device)” was closed. "
                + "`voicegate settings` shows and changes permissions.")
    }

    private static func notFound(_ device: String) -> String {
        var card: Int32 = -1
        let next = "Connect a microphone, then run `voicegate devices`."
        if snd_card_next(&card) < 0 || card < 0 {
            return "There is no microphone “\(device)”: this machine has no sound card. \(next)"
        }
        return "There is no microphone “\(device)”. \(next)"
    }
}
