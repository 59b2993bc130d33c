import Authorization
import Testing

@Suite("Names of programs that run other code")
struct InterpreterNamesTests {
    /// The files of Debian 12 behind the commands (`readlink -f`).
    static let debian = [
        "/usr/bin/gjs-console", "/usr/bin/mono-sgen", "/usr/bin/sbcl", "/usr/bin/clisp", "/usr/bin/ecl",
        "/usr/bin/qemu-x86_64-static", "/usr/bin/qemu-aarch64-static", "/usr/bin/qemu-system-x86_64",
        "/usr/lib/erlang/erts-13.1.5/bin/beam.smp", "/usr/bin/emacs-nox", "/usr/bin/emacs-gtk",
        "/usr/bin/emacs-lucid", "/usr/bin/gdb", "/usr/bin/gdbserver", "/usr/bin/strace", "/usr/bin/ltrace",
        "/usr/bin/valgrind.bin", "/usr/libexec/valgrind/memcheck-amd64-linux",
        "/usr/libexec/valgrind/callgrind-arm64-linux", "/usr/lib/llvm-14/bin/lldb", "/usr/bin/python3.11",
        "/usr/bin/perl", "/usr/bin/ruby3.1", "/usr/bin/lua5.4", "/usr/bin/luajit-2.1.0-beta3", "/usr/bin/node",
        "/usr/bin/php8.2", "/usr/bin/tclsh8.6", "/usr/bin/wish8.6", "/usr/lib/jvm/java-17-openjdk-amd64/bin/java",
        "/usr/bin/mksh", "/usr/bin/zsh", "/usr/bin/fish", "/usr/bin/dash", "/usr/bin/bash", "/usr/bin/busybox",
        "/usr/bin/gawk", "/usr/bin/mawk", "/usr/bin/make", "/usr/bin/guile-3.0", "/usr/bin/octave-cli-7.3.0",
        "/usr/lib/wine/wine64", "/usr/bin/expect",
    ]

    @Test("each is known by the file that runs", arguments: debian)
    func known(_ path: String) { #expect(Interpreter(program: path) != nil) }

    @Test(
        "an ordinary program is not",
        arguments: [
            "/usr/bin/curl", "/usr/bin/gedit", "/usr/bin/emacsclient.emacs", "/usr/bin/monodoc", "/usr/bin/notes",
            "/usr/bin/gnome-shell", "/usr/bin/obs", "/usr/bin/voicegate", "/usr/bin/arecord",
        ])
    func unknown(_ path: String) { #expect(Interpreter(program: path) == nil) }

    @Test("gjs runs its script, under the name of its file as well")
    func gjs() {
        let interpreter = Interpreter(program: "/usr/bin/gjs-console")
        #expect(interpreter?.code(in: ["gjs", "/home/alice/note.js"]) == .file("/home/alice/note.js"))
        #expect(interpreter?.code(in: ["gjs", "-c", "1"]) == .unknown)
    }
}
