import Authorization

/// Every field that this version writes: its name and its type, for all who write and read it. Two fields with one name are in
/// different kinds of records.
extension RecordField {
    // MARK: Whom the record is about

    public static let user = Field<UInt32>("user")
    public static let subject = Field<String>("subject")
    public static let client = Field<ClientIdentifier>("client")
    public static let clientName = Field<String>("clientName")
    public static let executable = Field<String>("executable")
    public static let executableSHA256 = Field<String>("executableSHA256")
    public static let evidence = Field<String>("evidence")
    public static let sandbox = Field<String>("sandbox")
    public static let interpreter = Field<String>("interpreter")
    public static let distrust = Field<String>("distrust")
    public static let unit = Field<String>("unit")
    public static let responsibleProcess = Field<Int32>("responsibleProcess")
    public static let decidedByUser = Field<UInt32>("decidedByUser")
    public static let decidedByExecutable = Field<String>("decidedByExecutable")
    public static let decidedByExecutableSHA256 = Field<String>("decidedByExecutableSHA256")

    // MARK: Questions and answers

    public static let resource = Field<Resource>("resource")
    public static let question = Field<Question.Kind>("question")
    public static let indication = Field<String>("indication")
    public static let scope = Field<Scope>("scope")
    public static let fidelity = Field<Fidelity>("fidelity")
    public static let validity = Field<String>("validity")
    public static let reason = Field<String>("reason")
    public static let askedRecord = Field<UInt64>("askedRecord")
    public static let noticeRecord = Field<UInt64>("noticeRecord")
    public static let decisionRecord = Field<UInt64>("decisionRecord")
    public static let previousExecutableSHA256 = Field<String>("previousExecutableSHA256")
    public static let mutedFor = Field<MuteScope.Kind>("mutedFor")
    public static let change = Field<StoredChange>("change")

    // MARK: Notices

    public static let notice = Field<String>("notice")
    public static let noticeSHA256 = Field<String>("noticeSHA256")
    public static let previousNoticeSHA256 = Field<String>("previousNoticeSHA256")
    public static let agreementSHA256 = Field<String>("agreementSHA256")
    public static let confirmation = Field<String>("confirmation")
    public static let language = Field<Language>("language")
    public static let dataKinds = Field<[DataKind]>("dataKinds")
    public static let purpose = Field<String>("purpose")
    public static let retention = Field<String>("retention")
    public static let recipients = Field<[String]>("recipients")
    public static let keptByService = Field<JSONValue>("keptByService")
    public static let collector = Field<RecordCollector>("collector")
    public static let legalBasis = Field<String>("legalBasis")
    public static let processing = Field<[String]>("processing")
    public static let captured = Field<[DataKind]>("captured")
    public static let retained = Field<[DataKind]>("retained")
    public static let transmitted = Field<[DataKind]>("transmitted")
    public static let storageLocation = Field<String>("storageLocation")
    public static let controller = Field<Controller>("controller")
    public static let jurisdiction = Field<String>("jurisdiction")
    public static let withdrawal = Field<String>("withdrawal")

    // MARK: What an administrator does

    public static let cause = Field<String>("cause")
    public static let rule = Field<[String: JSONValue]>("rule")
    public static let rules = Field<[[String: JSONValue]]>("rules")
    public static let hours = Field<[String]>("hours")
    public static let days = Field<[String]>("days")
    public static let timeZone = Field<String>("timeZone")
    public static let files = Field<[String: String]>("files")
    public static let brokenFiles = Field<[String: String]>("brokenFiles")
    public static let leases = Field<[String]>("leases")
    public static let repeated = Field<Int>("repeated")
    public static let refusals = Field<Int>("refusals")
    public static let reasons = Field<[String]>("reasons")
    public static let since = Field<Timestamp>("since")
    public static let previous = Field<RecordCollector>("previous")
    public static let url = Field<String>("url")

    // MARK: Sessions

    public static let session = Field<String>("session")
    public static let sessions = Field<[String]>("sessions")
    public static let grants = Field<[String: String]>("grants")
    public static let decisionRecords = Field<[String: UInt64]>("decisionRecords")
    public static let fidelityRecord = Field<UInt64>("fidelityRecord")
    public static let device = Field<String>("device")
    public static let sharing = Field<Sharing>("sharing")
    public static let engine = Field<String>("engine")
    public static let recognizer = Field<SpeechEngine>("recognizer")
    public static let tasks = Field<[String]>("tasks")
    public static let fromEngine = Field<SpeechEngine>("from")
    public static let toEngine = Field<SpeechEngine>("to")
    public static let frames = Field<Int64>("frames")
    public static let milliseconds = Field<Int64>("milliseconds")
    public static let listening = Field<ListeningCounts>("listening")
    public static let deviceHeld = Field<Bool>("deviceHeld")

    // MARK: Monitors

    public static let monitor = Field<String>("monitor")
    public static let waitsFor = Field<String>("waitsFor")
    public static let phrase = Field<String>("phrase")
    public static let action = Field<MonitorAction>("action")
    public static let once = Field<Bool>("once")
    public static let process = Field<Int32>("process")
    public static let processStartTime = Field<UInt64>("processStartTime")
    public static let boot = Field<String>("boot")
    public static let status = Field<Int32>("status")
    public static let statusUnknown = Field<Bool>("statusUnknown")
    public static let whileStopped = Field<Bool>("whileStopped")

    // MARK: What is kept and shared

    public static let item = Field<String>("item")
    public static let items = Field<[String]>("items")
    public static let dataKind = Field<DataKind>("dataKind")
    public static let bytes = Field<Int64>("bytes")
    public static let until = Field<String>("until")
    public static let location = Field<String>("location")
    public static let basis = Field<SharedData.Basis>("basis")
    public static let erasedRanges = Field<JSONValue>("records")

    // MARK: What the person asks of the log

    public static let request = Field<String>("request")
    public static let right = Field<RightsRequest.Right>("right")
    public static let rightsScope = Field<[String: JSONValue]>("scope")
    public static let before = Field<Timestamp>("before")
    public static let outcome = Field<RightsAnswer.Outcome>("outcome")
    public static let erasedRecords = Field<Int>("erasedRecords")
    public static let erasedItems = Field<Int>("erasedItems")
    public static let kept = Field<[[String: JSONValue]]>("kept")
    public static let keptRecords = Field<Int>("records")
    public static let keepingReason = Field<KeepingReason>("reason")
    public static let format = Field<String>("format")
    public static let sha256 = Field<String>("sha256")
    public static let size = Field<UInt64>("size")

    // MARK: What the log does itself

    public static let log = Field<String>("log")
    public static let hash = Field<String>("hash")
    public static let key = Field<String>("key")
    public static let previousKey = Field<String>("previousKey")
    public static let checkpoint = Field<String>("checkpoint")
    public static let copy = Field<Bool>("copy")
    public static let lastSigned = Field<UInt64>("lastSigned")
    public static let root = Field<String>("root")
    public static let destination = Field<String>("destination")
    public static let fromTime = Field<Timestamp>("from")
    public static let toTime = Field<Timestamp>("to")
}
