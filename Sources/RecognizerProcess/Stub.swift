import Authorization
import Recognition
import Logging
public final class RecognizerPool: Recognizer {
  public init(executable: String, model: String?, warm: Int, logger: Logger) {}
  public func prewarm() async {}
  public func shutdown() async {}
  public func start(_ c: RecognitionConfiguration, grant: borrowing SpeechRecognitionGrant) async throws(RecognitionError) -> any RecognitionSession { throw RecognitionError(code: .workerUnavailable, message: "stub") }
}
