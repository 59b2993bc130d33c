import ALSACapture
import Authorization
import Consent
import LinuxSystem
import Logging
import Prompting
import RecognizerProcess
import Retention
import Speech
import SpeechModels
import Storage
import WyomingEngine

/// What the doors of the service are made of, put together by the composition.
struct ServiceParts {
    let configuration: ConfigurationFile
    let logger: Logger

    let log: ConsentLog
    let backup: LogBackup
    let items: ItemStore
    /// `nil`: nothing is kept, whatever was agreed to.
    let keeper: SessionKeeper?

    let gate: Gate
    let board: PromptBoard
    let inspector: CallerInspector
    /// The manifest of VoiceGate's own command line.
    let commandLine: Manifest
    let clients: ClientResolver
    let problems: ProblemBoard

    let source: ALSAMicrophoneSource
    let library: ModelLibrary
    /// The folder that recognisers load.
    let model: String
    let recognizers: RecognizerPool
    let profiles: VoiceProfiles
    /// What sessions recognise with.
    let recognizer: any Recognizer
    /// The engine outside of the service that `recognizer` asks.
    let outside: OutsideEngine?
    let indicator: IndicatorBoard
    let registry: SessionRegistry

    var runner: SessionRunner { SessionRunner(gate: gate, ledger: log, registry: registry) }

    var device: String { configuration.device ?? "default" }

    var files: FileSessions {
        FileSessions(clients: clients, runner: runner, recognizer: recognizer, keeper: keeper)
    }
}
