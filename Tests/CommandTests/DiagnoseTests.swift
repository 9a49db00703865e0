import Foundation
import Testing

@Suite("carryover diagnose, and the verdict in reports")
struct DiagnoseTests {
  @Test("it says why, what is lost, when things happened and what to paste, and writes nothing (F11)")
  func text() throws {
    let sample = try SampleCopy("AcmeShop")
    let result = try sample.run("diagnose")
    #expect(result.status == 0, "\(result.error)")
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("The update would log this user out: rl_traits.userId is a number") == true)
    #expect(lines.prefix(3).contains { $0.hasPrefix("Likely: ") })
    for words in [
      "rl_traits.userId is a number of 2 digits: 42", "2025-11-20T12:02:03Z  last event, legacy SDK",
      "--accept user_id", "In the review, go to user_id and decide it.",
    ] {
      #expect(result.output.contains(words), "\(result.output)")
    }
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test("a time is never masked, though it has digits that a value has")
  func times() throws {
    let sample = try SampleCopy("AcmeShop")
    let time = "2025-11-20T12:42:42Z"
    for command in [["report"], ["report", "--html"], ["diagnose", "--redact"], ["diagnose", "--redact", "--json"]] {
      let result = try Tool.carryover(command + [sample.path, "--write-key", SampleCopy.writeKey, "--now", time])
      #expect(result.output.contains(time) && !result.output.contains("T12:‹"), "\(command) \(result.output)")
    }
  }

  @Test("the command that it prints mends what it says")
  func pasted() throws {
    let sample = try SampleCopy("AcmeShop")
    let commands = try #require(try sample.run("diagnose", "--json").json()["commands"] as? [String])
    let command = try #require(commands.first)
    #expect(commands.count == 1 && command.hasPrefix("carryover apply "))
    let pasted = try Tool.run(
      "sh", ["-c", "PATH=\"$0:$PATH\"; \(command) --yes", Tool.carryover.deletingLastPathComponent().path])
    #expect(pasted.status == 0, "\(pasted.error)")
    let after = try sample.run("diagnose", "--json").json()
    #expect((after["verdict"] as? [String: Any])?["outcome"] as? String != "logged-out")
    #expect((after["verdict"] as? [String: Any])?["situation"] as? String == "migrated")
  }

  @Test("a path with spaces and quotation marks is pasted as one word")
  func quoting() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Ada's case; $HOME.xcappdata")
    try FileManager.default.copyItem(at: SampleCopy.original("AcmeShop"), to: URL(fileURLWithPath: path))
    let result = try Tool.carryover("diagnose", path, "--write-key", "WK", "--json").json()
    let command = try #require((result["commands"] as? [String])?.first)
    let echoed = try Tool.run(
      "sh", ["-c", command.replacingOccurrences(of: "carryover apply", with: "printf '%s\\n'")])
    #expect(echoed.output.split(separator: "\n").first.map(String.init) == path)
  }

  @Test("without a write key it answers from the container alone, and says that the key is missing")
  func noKey() throws {
    let sample = try SampleCopy("AcmeShop")
    let result = try Tool.carryover("diagnose", sample.path, "--now", SampleCopy.now)
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.hasPrefix("The update would log this user out"))
    #expect(result.output.contains("The write key is missing"))
    #expect(result.output.contains("--write-key WRITE_KEY"))
  }

  @Test("its JSON suits the schema, masked and not; what a value looks like is never masked")
  func schema() throws {
    let sample = try SampleCopy("AcmeShop")
    for arguments in [[], ["--redact"]] {
      let json = try Tool.carryover(["diagnose"] + sample.options + arguments + ["--json"]).json()
      #expect(try SchemaCheck("diagnosis-1").problems(json) == [])
      let loss = try #require((json["losses"] as? [[String: Any]])?.first)
      let field = try #require((loss["fields"] as? [[String: Any]])?.first)
      #expect(field["legacy"] as? String == "a number of 2 digits")
      #expect(json["redacted"] as? Bool == (arguments.isEmpty ? nil : true))
    }
  }

  @Test("a report begins with the verdict, then what is lost, then the evidence, in Markdown and in HTML")
  func report() throws {
    let sample = try SampleCopy("AcmeShop")
    let markdown = try sample.run("report").output
    #expect(markdown.hasPrefix("# The update would log this user out: rl_traits.userId is a number"))
    let html = try sample.run("report", "--html").output
    for page in [markdown, html] {
      let places = [
        "The update would log this user out", "What the update would lose", "Evidence", "Stores", "Findings",
      ]
      .map { page.range(of: $0)?.lowerBound }
      #expect(!places.contains(nil))
      #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
      #expect(page.contains("a number of 2 digits") && page.contains("‹user-"))
    }
    #expect(try Tool.carryover(["report", "--html", "--json"] + sample.options).status == 64)
  }

  @Test("HTML is one file without scripts or links, and text from a container is never markup")
  func html() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("<img src=x onerror=alert(1)>&\"'.xcappdata")
    try FileManager.default.copyItem(at: SampleCopy.original("AcmeShop"), to: URL(fileURLWithPath: path))
    let html = try Tool.carryover("report", path, "--html", "--no-redact", "--write-key", "WK").output
    #expect(html.contains("&lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#39;.xcappdata"))
    let check = try Tool.run("python3", ["-c", Self.balance], input: html)
    #expect(check.status == 0, "\(check.output)\(check.error)")
    #expect(html.contains("prefers-color-scheme: dark") && html.contains("@media print"))
  }

  /// Fails for a tag that is not closed, that is not ours, or that leads or loads anywhere.
  private static let balance = """
    import html.parser, sys
    ours = set('html head meta title style body h1 h2 p ul li div table thead tbody tr th td code strong pre'.split())
    open_tags = []
    class Check(html.parser.HTMLParser):
        def handle_starttag(self, tag, attributes):
            assert tag in ours, tag
            assert {name for name, _ in attributes} <= {'lang', 'charset', 'http-equiv', 'content', 'name', 'class'}, attributes
            if tag != 'meta': open_tags.append(tag)
        def handle_endtag(self, tag):
            assert open_tags.pop() == tag, tag
    text = sys.stdin.read()
    Check().feed(text)
    assert not open_tags, open_tags
    assert 'http:' not in text and 'https:' not in text and 'url(' not in text and '@import' not in text
    """
}
