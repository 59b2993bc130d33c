import FleetDatabase
import Testing

@Suite("Migrations")
struct MigrationTests {
    @Test("Migrations are numbered from 1 without a gap")
    func numbered() {
        #expect(Migration.all.map(\.number) == Array(1...Migration.all.count))
    }
}
