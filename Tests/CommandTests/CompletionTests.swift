import Foundation
import Testing

@Suite("Completion")
struct CompletionTests {
  private static func has(_ program: String) -> Bool { (try? Tool.run("which", [program]).status) == 0 }

  private static let bash = #"""
    cd "$1" && source "$2" || exit 1
    shift 2
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*"
    COMP_POINT=${#COMP_LINE} COMPREPLY=()
    _carryover_with_defaults carryover "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\n' "${COMPREPLY[@]}"
    """#

  private func script(_ shell: String, in folder: TemporaryFolder) throws -> String {
    let script = try Tool.carryover("completion", shell)
    #expect(script.status == 0)
    let path = folder.path("completion")
    try script.output.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test(
    "bash completes file names with blanks, options, choices, codes and recipes, also those of a default subcommand",
    .enabled(if: has("bash")))
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
    #expect(try completions("plan", "x", "--accept", "source.dis") == ["source.disagree"])
    #expect(try completions("explain", "app.build-not") == ["app.build-not-integer"])
    #expect(try completions("recipe", "explain", "person") == ["person"])
    #expect(try completions("audit", "run", "x", "--fail-on", "unread") == ["unreadable"])
    #expect(try completions("pl") == ["plan"])
    #expect(try completions("plan", "--wri") == ["--write-key"])
    #expect(try completions("--wri") == ["--write-key"])
    #expect(try completions("My App.xcappdata", "--wri") == ["--write-key"])
    #expect(try completions("My App.xcappdata", "--theme", "d") == ["dark"])
    #expect(try completions("audit", "x", "--fail") == ["--fail-on"])
    #expect(try completions("audit", "rep") == ["report"])
    #expect(try completions("history", "x", "--ch") == ["--check"])
  }

  @Test("The scripts are what their shells take", arguments: ["bash", "zsh", "fish"])
  func syntax(_ shell: String) throws {
    let folder = try TemporaryFolder()
    let path = try script(shell, in: folder)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("carryover") && !text.contains(#"\\n"#))
    #expect(!text.contains("eval ") && !text.contains("${token}") && text.contains("__carryover_default "))
    #expect(try Tool.carryover("--generate-completion-script", shell).output == text)
    guard Self.has(shell) else { return }
    let check = try Tool.run(shell, [shell == "fish" ? "--no-execute" : "-n", path])
    #expect(check.status == 0, "\(check.error)")
  }
}
