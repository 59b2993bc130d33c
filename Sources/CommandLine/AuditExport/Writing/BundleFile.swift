import Consent

/// One of a bundle's formats with its file.
final class BundleFile {
    let name: String
    private var format: any RecordFormat
    private let file: OutputFile

    init(name: String, format: any RecordFormat, file: OutputFile) throws(ExportError) {
        self.name = name
        self.format = format
        self.file = file
        try file.write(self.format.begin())
    }

    func add(_ record: AuditRecord) throws(ExportError) { try file.write(format.add(record)) }

    func finish(_ verification: ExportVerification) throws(ExportError) -> String {
        try file.write(format.end(verification))
        return try file.finish()
    }
}
