/// What Flatpak and snap call an application. Only such names are believed, shown and compared.
public enum SandboxName {
    public static func isValid(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count) && name.first?.isPunctuation == false
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
