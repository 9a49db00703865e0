import Foundation
import Testing

@Suite("The review by lines, in the command", .serialized)
struct LineReviewTests {
  private func review(_ sample: SampleCopy, _ lines: String..., extra: [String] = []) throws -> Tool.Result {
    try Tool.run(
      Tool.carryover.path, ["review"] + sample.options + ["--accessible"] + extra,
      input: lines.map { $0 + "\n" }.joined())
  }

  @Test("the sample is decided, heard, applied, and one field of it taken back, by lines alone (F1, F2, F4, F5)")
  func wholeJob() throws {
    let sample = try SampleCopy("AcmeShop")
    let applied = try review(
      sample, "details", "esc", "accept", "8", "edit", "4.2", "420", "apply", "yes", "esc", "quit")
    #expect(applied.status == 0, "\(applied.error)")
    for words in [
      "2 of 8. ? user_id: undecided.", "Not an integer. Enter digits", "+ user_id             string   \"42\"",
      "Applied  run ", "R previews the rollback of this run.", "Review: details\n",
    ] {
      #expect(applied.output.contains(words), "\(words)")
    }
    #expect(applied.output.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
    let values = try sample.targetAsPythonReadsIt()
    #expect(values["user_id"] == "str\t'42'" && values["rudder.app_build"] == "int\t420")

    let back = try review(sample, "history", "1", "enter", "2", "space", "R", "yes", "esc", "esc", "quit")
    #expect(back.status == 0, "\(back.error)")
    #expect(back.output.contains("Roll back 1 of 8 keys of run") && back.output.contains("- user_id   \"42\""))
    #expect(back.output.contains("Rolled back  run "))
    let left = try sample.targetAsPythonReadsIt()
    #expect(left["user_id"] == nil && left.count == values.count - 1)

    let rest = try review(sample, "history", "2", "enter", "R", "a", "R", "yes", "quit")
    #expect(rest.output.contains("No key is chosen: space chooses one, a all of them."))
    #expect(rest.output.contains("Rolled back  run "), "\(rest.output)")
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test("the end of the input, and anything but yes in full, writes nothing (F3)")
  func nothingWithoutYes() throws {
    let sample = try SampleCopy("Clean")
    for lines in [["apply"], ["apply", "y"], ["apply", ""], ["yes"], ["apply", "Yes", "no", "yes"], []] {
      let result = try Tool.run(
        Tool.carryover.path, ["review"] + sample.options + ["--accessible"],
        input: lines.map { $0 + "\n" }.joined())
      #expect(result.status == 0 && result.output.contains("The input ended."))
      #expect(try sample.files() == sample.originalFiles())
    }
  }

  @Test(
    "a signal while something is written waits until it is written and said", .needsTools,
    arguments: ["INT", "TERM"])
  func signal(_ name: String) throws {
    let sample = try SampleCopy("Clean")
    let result = try Tool.run(
      "strace",
      ["-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:signal=SIG\(name):when=2", Tool.carryover.path]
        + ["review"] + sample.options + ["--accessible"], input: "apply\nyes\nagain\n")
    #expect(result.status == 128 + (SignalTests.numbers[name] ?? 0))
    #expect(result.output.contains("Applied  run ") && !result.output.contains("Result: again"))
    let again = try review(sample, "again")
    #expect(again.output.contains(": 8 unchanged\n") && !again.output.contains("nterrupted"))
  }

  @Test("decisions that are not applied are kept at the end of the input, offered again, and forgotten on demand")
  func keeping() throws {
    let sample = try SampleCopy("AcmeShop")
    let first = try review(sample, "accept", "8", "edit", "420")
    #expect(first.status == 0 && first.output.contains("2 decisions saved for the next review of "))
    #expect(try sample.files() == sample.originalFiles())
    let later = try review(sample, "later", "quit")
    #expect(later.output.contains("2 unapplied decisions from "), "\(later.output)")
    let taken = try review(sample, "yes", "apply", "esc", "quit", "yes")
    #expect(taken.output.contains("2 accepted") || taken.output.contains("1 accepted, 1 edited"), "\(taken.output)")
    #expect(taken.output.contains("+ rudder.app_build    integer  420"))
    #expect(taken.output.contains("2 decisions saved for the next review of "))
    let forgotten = try review(sample, "yes", "quit", "quit-and-forget")
    #expect(forgotten.status == 0 && !forgotten.output.contains("decisions saved for the next review of "))
    #expect(try !review(sample, "again").output.contains("unapplied decision"))
    let applied = try review(sample, "accept", "apply", "yes")
    #expect(applied.output.contains("Applied  run "))
    #expect(try !review(sample, "again").output.contains("unapplied decision"))
  }

  @Test("a folder that does not exist is no part of the container")
  func noFolder() throws {
    let sample = try SampleCopy("AcmeShop")
    let result = try review(sample, "verdict", "save \(sample.folder.path("absent"))/verdict.txt", "esc", "quit")
    #expect(result.output.contains("Nothing was saved."), "\(result.output)")
    #expect(!result.output.contains("belongs to the container"))
  }

  @Test("a text is saved neither in the container nor in its state folder")
  func savesElsewhere() throws {
    let sample = try SampleCopy("AcmeShop")
    for place in ["/.carryover/journal.json", "/AppData/Library/Preferences/com.acme.shop.plist"] {
      let result = try review(sample, "verdict", "save \(sample.path)\(place)", "esc", "quit")
      #expect(result.output.contains("belongs to the container"), "\(result.output)")
      #expect(try sample.files() == sample.originalFiles())
      #expect(!FileManager.default.fileExists(atPath: sample.path + "/.carryover/journal.json"))
    }
  }

  @Test("with masks neither what is said nor what is repeated tells of a person")
  func redacted() throws {
    let sample = try SampleCopy("AcmeShop")
    let result = try review(
      sample, "details", "edit", "typed-4711", "esc", "e typed-4712", "/typed-4713", "3", "details", "stores", "up",
      "search typed-4714", "leave", "apply",
      extra: ["--redact"])
    #expect(result.status == 0)
    let plain = try review(sample, "later", "3", "details")
    #expect(plain.output.contains("ada@") && plain.output.contains("9f1c2a7e"))
    for secret in ["typed-471", "ada@", "9f1c2a7e"] {
      let lines = result.output.split(separator: "\n").filter { $0.contains(secret) }
      #expect(lines.isEmpty, "\(lines)")
    }
    #expect(result.output.contains("(a value)"))
  }

  @Test("a line of any length is refused without being kept, and the next one counts; an end of line may be a return")
  func lineLimit() throws {
    let sample = try SampleCopy("AcmeShop")
    let long = String(repeating: "confirm ", count: 200_000)
    let result = try review(sample, long, "again\r", "  " + String(repeating: "x", count: 65_536))
    #expect(result.status == 0 && result.output.utf8.count < 20_000)
    #expect(result.output.components(separatedBy: "This line is longer than 65536 bytes").count == 3)
    #expect(result.output.contains("Review: again\n") && !result.output.contains("\\r"))
    let atLimit = try review(sample, String(repeating: "x", count: 65_536))
    #expect(!atLimit.output.contains("longer than"))
    let unended = try Tool.run(
      Tool.carryover.path, ["review"] + sample.options + ["--accessible"], input: "confirm\nquit\nyes")
    #expect(unended.status == 0 && !unended.output.contains("The input ended."))
  }

  @Test("a file or a link in the place of the state folder lets a container be looked at, and nothing be written")
  func occupiedStateFolder() throws {
    for isLink in [false, true] {
      let sample = try SampleCopy("AcmeShop")
      let path = sample.path + "/.carryover"
      if isLink {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: sample.folder.path("away"))
      } else {
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
      }
      let before = try sample.files()
      let result = try review(sample, "accept", "apply", "yes", "esc", "roll-back", "quit", "yes")
      #expect(result.status == 0)
      #expect(result.output.contains("Read-only: no backup"), "\(result.output)")
      for words in [
        isLink ? "is a symbolic link, and links are not followed" : "is a file, where a folder is needed",
        "nothing can be applied or rolled back", "--state-dir", "The decisions cannot be saved here.",
        "1 decision could not be saved.",
      ] { #expect(result.output.contains(words), "\(words)\n\(result.output)") }
      #expect(!result.output.contains("Applied  "))
      #expect(try sample.files() == before)
      #expect(try sample.run("apply", "--yes").status == 1)
      #expect(try sample.files() == before)
      let elsewhere = try review(
        sample, "accept", "apply", "yes", "quit", extra: ["--state-dir", sample.folder.path("state")])
      #expect(elsewhere.output.contains("Applied  run "), "\(elsewhere.output)")
    }
  }

  @Test("without UTF-8 in the locale only ASCII is printed")
  func ascii() throws {
    let sample = try SampleCopy("AcmeShop")
    let result = try review(sample, "details", "a", "esc", "help", extra: ["--ascii"])
    #expect(result.output.utf8.allSatisfy { $0 < 0x7F })
  }

  @Test("the containers at a path are chosen by a number or a filter; the stores are looked into without a screen")
  func choosing() throws {
    let folder = try TemporaryFolder()
    for name in ["AcmeShop", "Clean"] {
      try FileManager.default.copyItem(
        at: SampleCopy.original(name), to: folder.url.appendingPathComponent(name + ".xcappdata"))
    }
    let result = try Tool.run(
      Tool.carryover.path, ["browse", folder.url.path, "--accessible"],
      input: "/clean\nopen\n1\nlist\nup\nsearch rl_anon\nleave\n")
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains(": 2 containers\n") && result.output.contains("1 of 1. com.acme.shop, xcappdata"))
    #expect(result.output.contains("Stores: search rl_anon\n") && result.output.contains("rl_anonymous_id, string"))
    #expect(!result.output.contains("The input ended."))
  }
}
