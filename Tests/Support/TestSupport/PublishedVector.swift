import Consent
import Foundation

/// Eight leaves, a published key and what follows from them, byte for byte. Go's `sumdb/note` and `sumdb/tlog` and
/// PyPI's `pymerkle` accepted it.
public enum PublishedVector {
    /// Go's test key, which everybody has.
    public static let seed = Data([
        0x81, 0x0a, 0x14, 0x02, 0xd5, 0x14, 0x6c, 0x8d, 0x84, 0xf2, 0x44, 0x33, 0x30, 0xf5, 0x40, 0x80,
        0xeb, 0xf9, 0x8e, 0xe1, 0x7d, 0x9c, 0x74, 0xf6, 0x25, 0x2f, 0xc5, 0xd5, 0xc7, 0x28, 0x31, 0x73,
    ])
    public static let origin = "voicegate.example/log1"
    public static let verifier = "voicegate.example/log1+089bdfb0+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"

    public static let leaves = [
        Data(), Data([0x00]), Data([0x10]), Data([0x20, 0x21]), Data([0x30, 0x31]), Data([0x40, 0x41, 0x42, 0x43]),
        Data(0x50...0x57), Data(0x60...0x6F),
    ]

    public static let checkpointText = """
        voicegate.example/log1
        8
        XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=

        """

    public static let checkpoint = """
        voicegate.example/log1
        8
        XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=

        — voicegate.example/log1 CJvfsD1DztVPkdrvsAGzUOxrEedGn7Jy84J1HT8iPzrRAkt7j/5Ry4UUcQx+PVymGlcdQ2onzbsFWta2z1/43IKYiAI=

        """

    public static let proofOfLeaf5 = """
        c2sp.org/tlog-proof@v1
        index 5
        vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=
        yoVOoSjtBQtBs1/8G4e46yveRh6eO1WW7Oa51ZdaCuA=
        037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=

        \(checkpoint)
        """

    public static let rootOf3 = "rra8/idLcKFPsGel5VeCZNsPqbUa9eC6FZFY8yngbnc="
    public static let consistencyFrom3To8 = [
        "ApjRIpBtz8EIkstTpzmS/FufST6kybrbJ7eRtBJ6f+c=", "B1Bqhf2d0vEg62lPhgEeW7RmLlxBWmKRcDPUqWJEh+c=",
        "+sVCA+fMaWzw38tCySodnbr3CtnmIfS9jZhmLwDjwSU=", "a0eq8p7jwq+a+Im8H7klTavTEXfxYjLdaqsDXKOb9uQ=",
    ]
}
