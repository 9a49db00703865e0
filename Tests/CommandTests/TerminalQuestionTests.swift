import Foundation
import Testing

@Suite("Questions on a terminal")
struct TerminalQuestionTests {
  @Test("A store that changes while apply asks makes the plan stale: status 4, nothing written, the store named")
  func changeWhileAsking() throws {
    let sample = try SampleCopy("Clean")
    let path = sample.path + "/AppData/Library/Preferences/com.acme.shop.plist"
    let script = """
      import plistlib, sys
      values = plistlib.load(open(sys.argv[1], 'rb'))
      values['rl_session_id'] += 1
      plistlib.dump(values, open(sys.argv[1], 'wb'), fmt=plistlib.FMT_BINARY)
      """
    let change = "python3 -c \"\(script)\" '\(path)'"
    let result = try Tool.onTerminal(["apply"] + sample.options, [("[y/N]", change, "y\n")])
    #expect(result.status == 4, "\(result.output)\(result.error)")
    #expect(result.output.contains("rl_session_id in com.acme.shop.plist changed after the plan was made"))
    #expect(!FileManager.default.fileExists(atPath: sample.target))
  }

  @Test("The editor gets its own arguments and a file nobody else can read, in a folder that is gone afterwards")
  func editor() throws {
    let folder = try TemporaryFolder()
    let sample = try SampleCopy("AcmeShop")
    let (editor, log, places) = (folder.path("an editor"), folder.path("log"), folder.path("places"))
    try FileManager.default.createDirectory(atPath: places, withIntermediateDirectories: true)
    let lines = """
      #!/bin/sh
      stat -c '%a' "$2" "${2%/*}" > '\(log)'; echo "$1" >> '\(log)'; : > "$2~"; echo 421 > "$2"
      """
    try lines.write(toFile: editor, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: editor)
    let result = try Tool.onTerminal(
      sample.options + ["--accessible"], environment: ["TMPDIR=" + places, "EDITOR='\(editor)' 'two words'"],
      [("Review:", "", "8\n"), ("8 of 8", "", "editor\n"), ("edited", "", "undo\n"), ("Undone", "", "q\n")])
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "600\n700\ntwo words\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: places) == [])
  }

  @Test("Without what a screen needs, review and browse name what works; a configuration that is wrong is said first")
  func refused() throws {
    let sample = try SampleCopy("Clean")
    let browse = try Tool.carryover("browse", sample.path)
    #expect(browse.status == 64 && browse.error.contains("carryover inspect"))
    let plan = try Tool.carryover("plan", sample.path)
    #expect(plan.status == 64 && plan.error.contains("carryover browse"))
    let dumb = try Tool.onTerminal(sample.options, environment: ["TERM=dumb"], [])
    #expect(dumb.status == 64 && dumb.output.contains("--accessible"), "\(dumb.output)")
    let configuration = sample.folder.path("config")
    try "set theme ligth\n".write(toFile: configuration, atomically: true, encoding: .utf8)
    let wrong = try Tool.onTerminal(["browse", sample.path, "--config", configuration], [])
    #expect(wrong.status == 64 && wrong.output.contains("Did you mean light?"), "\(wrong.output)")
  }
}
