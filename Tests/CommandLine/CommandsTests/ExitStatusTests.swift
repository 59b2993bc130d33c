import Authorization
import CommandClient
import SocketAPI
import Speech
import Testing

import struct VoiceGateClient.Refusal

@testable import Commands

@Suite("Every error has its exit code")
struct ExitStatusTests {
    @Test(
        "a refusal for lack of permission is 77",
        arguments: [
            RefusalCode.notDetermined, .denied, .restricted, .identityChanged, .missingManifest,
            .missingUsageDescription, .noAnswer,
            .notInUse, .locked, .switched, .asleep, .muted, .reducedFidelity, .missingPurpose, .missingBackgroundMode,
            .alreadyFull, .untrusted,
        ])
    func refusals(_ code: RefusalCode) {
        let error = ClientError(Refusal(Refusal.Reason(rawValue: code.rawValue), message: "No."))
        #expect(ExitStatus(error).rawValue == 77)
    }

    @Test(
        "other errors of the service",
        arguments: [
            (ErrorCode.badAudio, 65), (.tooLarge, 65), (.deviceBusy, 75), (.busy, 75), (.conflict, 75),
            (.unavailable, 75), (.deviceUnavailable, 69),
            (.recognizerUnavailable, 69), (.storageUnavailable, 69), (.notAllowed, 77), (.invalidValue, 64),
            (.notFound, 66), (.badRequest, 70), (.internalError, 70), (.clientStalled, 69), (.clientGone, 69),
            (.serviceStalled, 69),
        ] as [(ErrorCode, Int32)])
    func errors(_ code: ErrorCode, _ status: Int32) {
        #expect(ExitStatus(ErrorReply(code: code.rawValue, message: "")).rawValue == status)
    }

    @Test("the two lists of codes are disjoint")
    func disjoint() {
        let refusals = Set(RefusalCode.allCases.map(\.rawValue))
        #expect(refusals.isDisjoint(with: ErrorCode.allCases.map(\.rawValue)))
        #expect(ExitStatus(code: "somethingNew") == .internalError)
    }

    @Test(
        "errors of the connection",
        arguments: [
            (ClientError.Code.notRunning, 69), (.cannotConnect, 69), (.disconnected, 69), (.notRead, 69),
            (.protocolViolation, 69),
            (.unusablePath, 64), (.untrustedServer, 77), (.unreadableFile, 66),
        ] as [(ClientError.Code, Int32)])
    func connection(_ code: ClientError.Code, _ status: Int32) {
        #expect(ExitStatus(ClientError(code: code, message: "")).rawValue == status)
    }

    @Test(
        "endings of a dictation",
        arguments: [
            (DictationEnding.ended, 0), (.silence, 0), (.revoked, 77), (.restricted, 77), (.muted, 77),
            (.background, 77),
            (.deviceLost, 69),
            (.failed, 69),
            (.cancelled, 130), (.incomplete, 65), (.disconnected, 69), (.clientStalled, 69), (.serviceStalled, 69),
            (.serviceStopped, 69),
        ] as [(DictationEnding, Int32)])
    func endings(_ ending: DictationEnding, _ status: Int32) { #expect(ExitStatus(ending).rawValue == status) }
}
