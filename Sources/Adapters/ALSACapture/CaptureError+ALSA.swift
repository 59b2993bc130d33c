import CALSA
import Glibc
import Speech

extension CaptureError {
    /// Translates an error of `snd_pcm_open` and the calls that follow it.
    static func opening(_ device: String, error: Int32) -> CaptureError {
        let number = abs(error)
        let reason = String(cString: snd_strerror(-number))
        let (code, message): (Code, String) =
            switch number {
            case EBUSY, EAGAIN:
                (.deviceBusy, "Another program is using the microphone “\(device)”. Close it, or \(chooseAnother)")
            case EACCES, EPERM:
                (
                    .accessDenied,
                    "This user has no access to the microphone “\(device)”. Log in at the machine itself, or ask its "
                        + "administrator for access to the sound devices."
                )
            case ENOENT, ENODEV, ENXIO:
                (.deviceNotFound, notFound(device))
            case ECONNREFUSED, EHOSTDOWN, ETIMEDOUT, ECONNRESET:
                (
                    .inputOutput,
                    "The sound server of “\(device)” does not answer (\(reason)). Start PipeWire or PulseAudio, then try "
                        + "again."
                )
            default:
                (
                    .inputOutput,
                    "The microphone “\(device)” cannot be opened (\(reason)). Check its definition in ALSA's "
                        + "configuration, or \(chooseAnother)"
                )
            }
        return CaptureError(code: code, device: device, errorNumber: number, message: message)
    }

    private static let chooseAnother = "choose another device; `voicegate devices` lists them."

    static func formatNotSupported(_ device: String, error: Int32) -> CaptureError {
        CaptureError(
            code: .formatNotSupported, device: device, errorNumber: abs(error),
            message: "The microphone “\(device)” cannot deliver 16 kHz mono, even with conversion. To continue, "
                + chooseAnother)
    }

    static func lost(_ device: String, error: Int32) -> CaptureError {
        CaptureError(
            code: .deviceLost, device: device, errorNumber: abs(error),
            message: "The microphone “\(device)” was removed. Plug it in again, or choose another device.")
    }

    static func broken(_ device: String, error: Int32) -> CaptureError {
        CaptureError(
            code: .inputOutput, device: device, errorNumber: abs(error),
            message:
                "The microphone “\(device)” returns errors (\(String(cString: snd_strerror(-abs(error))))), also after it "
                + "was opened again. \(replug)")
    }

    static func stalled(_ device: String) -> CaptureError {
        CaptureError(
            code: .inputOutput, device: device, errorNumber: ETIMEDOUT,
            message: "The microphone “\(device)” delivers no data, also after it was opened again. \(replug)")
    }

    private static let replug = "Unplug it and plug it in again, or choose another device."

    static func notOpening(_ device: String) -> CaptureError {
        CaptureError(
            code: .inputOutput, device: device,
            message: "The microphone “\(device)” does not answer. Restart the sound server, or \(chooseAnother)")
    }

    static func permissionEnded(_ device: String) -> CaptureError {
        CaptureError(
            code: .permissionEnded, device: device,
            message: "The permission to use the microphone ended, so “\(device)” was closed. "
                + "`voicegate settings` shows and changes permissions.")
    }

    /// If there are other devices, `DeviceList.suggesting` names them.
    private static func notFound(_ device: String) -> String {
        "There is no microphone “\(device)”. Connect a microphone, then run `voicegate devices`."
    }
}
