import Foundation
import Testing

/// The completion scripts, bash's in bash itself.
@Suite("Completion")
struct CompletionTests {
  private static func has(_ program: String) -> Bool { (try? Tool.run("which", [program]).status) == 0 }

  private static let bash = #"""
    cd "$1" && source "$2" || exit 1
    shift 2
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*"
    COMP_POINT=${#COMP_LINE} COMPREPLY=()
    _carryover carryover "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\n' "${COMPREPLY[@]}"
    """#

  private func script(_ shell: String, in folder: TemporaryFolder) throws -> String {
    let script = try Tool.carryover("--generate-completion-script", shell)
    #expect(script.status == 0)
    let path = folder.path("completion")
    try script.output.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test("bash completes file names with blanks, choices, fields, codes and recipes", .enabled(if: has("bash")))
  func bash() throws {
    let (folder, files) = (try TemporaryFolder(), try TemporaryFolder())
    let script = try script("bash", in: folder)
    for name in ["My App.xcappdata", "it's.plist", "other.json"] {
      try Data().write(to: files.url.appendingPathComponent(name))
    }
    func completions(_ words: String...) throws -> [String] {
      let result = try Tool.run("bash", ["-c", Self.bash, "bash", files.url.path, script, Tool.carryover.path] + words)
      #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
      return result.output.split(separator: "\n").map(String.init).sorted()
    }
    #expect(try completions("plan", "") == ["My App.xcappdata", "it's.plist", "other.json"])
    #expect(try completions("plan", "My") == ["My App.xcappdata"])
    #expect(try completions("plan", "x", "-o", "oth") == ["other.json"])
    #expect(try completions("plan", "x", "--on-conflict", "") == ["fail", "keep", "replace"])
    #expect(try completions("review", "x", "--theme", "") == ["auto", "dark", "light", "mono"])
    #expect(try completions("plan", "x", "--color", "a") == ["always", "auto"])
    #expect(try completions("plan", "x", "--accept", "user") == ["user_id"])
    #expect(try completions("plan", "x", "--keep", "rudderstack-objc/user") == ["rudderstack-objc/user_id"])
    #expect(try completions("explain", "app.build-not") == ["app.build-not-integer"])
    #expect(try completions("recipe", "explain", "person") == ["person"])
    #expect(try completions("plan", "x", "--set", "user") == ["user_id="])
    #expect(try completions("audit", "run", "x", "--fail-on", "unread") == ["unreadable"])
    #expect(try completions("pl") == ["plan"])
    #expect(try completions("plan", "--wri") == ["--write-key"])
  }

  @Test(
    "A name with a blank is completed in a terminal, quoted and not, and a path without a subcommand too", .needsTools)
  func typed() throws {
    let folder = try TemporaryFolder()
    let script = try script("bash", in: folder)
    try FileManager.default.copyItem(
      at: SampleCopy.original("Clean"), to: folder.url.appendingPathComponent("My App.xcappdata"))
    let session = try TmuxSession(columns: 100, rows: 20)
    try session.enter("cd '\(folder.url.path)'; source '\(script)'; carryover() { printf '<%s>' \"$@\"; echo; }; clear")
    for line in ["carryover list My", "carryover list My\\ A", "carryover list \"My A", "carryover list 'My A"] {
      try session.waitForEnd(of: "<")
      try session.type(line)
      try session.press("Tab")
      try session.waitFor("xcappdata")
      try session.press("Enter")
      try session.waitFor("<list><My App.xcappdata/>")
      try session.enter("clear")
    }
    try session.waitForEnd(of: "<")
    try session.type("carryover My")
    try session.press("Tab", "Enter")
    try session.waitFor("<My App.xcappdata/>")
  }

  @Test("The scripts are what their shells take", arguments: ["bash", "zsh", "fish"])
  func syntax(_ shell: String) throws {
    let folder = try TemporaryFolder()
    let path = try script(shell, in: folder)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("carryover") && !text.contains(#"\\n"#))
    // Everything that completes names of files completes paths in archives too, and the other way round.
    let asked = text.split(separator: "\n").filter { $0.contains("---completion plan -- positional@0 ") }
    #expect(asked.count == 1 && !text.contains("${token}"))
    let files = [
      "bash": "__carryover_add_completions -f\n        __carryover_add_completions -W", "zsh": "{_files; ",
      "fish": "-Fka ",
    ]
    #expect(text.contains(try #require(files[shell])))
    // Nothing is evaluated, and errors of the command do not reach the line that is typed.
    #expect(!text.contains("eval ") && text.contains(" 2>/dev/null </dev/null"))
    guard Self.has(shell) else { return }
    let check = try Tool.run(shell, [shell == "fish" ? "--no-execute" : "-n", path])
    #expect(check.status == 0, "\(check.error)")
  }
}
