import FleetModel
import Testing

@Suite("Paths of tiles")
struct TilePathTests {
    @Test(
        "A path is read and written as tlog-tiles has it",
        arguments: [
            ("tile/0/x001/x234/067", TilePath(level: 0, position: 1_234_067)),
            ("tile/0/000", TilePath(level: 0, position: 0)),
            ("tile/1/001.p/17", TilePath(level: 1, position: 1, width: 17)),
            ("tile/entries/x001/000.p/255", TilePath(level: nil, position: 1000, width: 255)),
            ("tile/63/000", TilePath(level: 63, position: 0)),
        ])
    func written(path: String, tile: TilePath) {
        #expect(TilePath(path: path) == tile)
        #expect(tile.path == path)
    }

    @Test(
        "Another way of writing a path names nothing",
        arguments: [
            "", "tile", "tile/0", "tile/00/000", "tile/64/000", "tile/-1/000", "tile/0/0", "tile/0/0000",
            "tile/0/x000/001",
            "tile/0/001/002", "tile/0/x001", "tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/01", "tile/0/000.p/",
            "tile/0/000.p", "tile/0/+01", "tile/entries/", "tile/data/000", "tile/0/000/", "/tile/0/000",
            "tile/0/x999/x999/x999/x999/x999/x999/x999/999",
        ])
    func refused(path: String) {
        #expect(TilePath(path: path) == nil)
    }
}
