import Foundation
import Testing

/// What the command answers when a completion script asks it.
@Suite("Answers for completion")
struct CompletionAnswerTests {
  /// Asks as a script does when the last word is to be completed.
  /// - Parameters:
  ///   - name: the option, or the position of the argument.
  ///   - line: the words behind `carryover`, as they are typed.
  private func answer(
    _ name: String, _ line: String..., of subcommand: String, in shell: String = "bash", home: String = "/nonexistent"
  ) throws -> [String] {
    let cursor = line.last?.count ?? 0
    let words = subcommand.split(separator: " ").map(String.init)
    let result = try Tool.run(
      "env",
      ["SAP_SHELL=\(shell)", "HOME=\(home)", Tool.carryover.path, "---completion"] + words
        + ["--", name, "\(words.count + line.count)", "\(cursor)", "carryover"] + words + line)
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test("the fields are those of the container's plan, and those of all recipes if there is none")
  func fields() throws {
    let sample = try SampleCopy("AcmeShop")
    let plan = try sample.run("plan", "--json").json()
    let fields = try #require(plan["fields"] as? [[String: Any]]).compactMap { $0["id"] as? String }
    #expect(fields.count > 5)
    for option in ["--only", "--skip", "--keep", "--replace"] {
      #expect(try answer(option, sample.path, option, "", of: "plan") == fields)
    }
    #expect(try answer("--set", sample.path, "--set", "us", of: "apply") == fields.map { $0 + "=" })
    #expect(try answer("--field", sample.path, "--field", "", of: "review") == fields)
    let accepted = try answer("--accept", sample.path, "--accept", "", of: "plan")
    #expect(accepted.starts(with: fields) && accepted.contains("source.disagree"))
    #expect(!accepted.contains("app.build-not-integer"), "it asks for no decision")
    let known = try answer("--only", "missing", "--only", "", of: "plan")
    #expect(known.contains("posthog.anonymousId") && known.contains("rudderstack-objc/user_id"))
    #expect(known.count > 3 * fields.count && known == known.sorted())
  }

  @Test("the line is read as the shell has it: quoted, options in front of the path, values behind “=”, with a recipe")
  func line() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("It's “my” $App.xcappdata")
    try FileManager.default.copyItem(at: SampleCopy.original("AcmeShop"), to: URL(fileURLWithPath: path))
    let fields = try answer("--only", SampleCopy.original("AcmeShop").path, "--only", "", of: "plan")
    let home = folder.url.path
    for typed in [
      path.replacingOccurrences(of: "'", with: "\\'").replacingOccurrences(of: " ", with: "\\ ")
        .replacingOccurrences(of: "$", with: "\\$"),
      "'" + path.replacingOccurrences(of: "'", with: "'\\''") + "'",
      "\"" + path.replacingOccurrences(of: "$", with: "\\$") + "\"",
    ] {
      #expect(try answer("--only", typed, "--only", "", of: "plan") == fields, "\(typed)")
      #expect(
        try answer("--only", "--write-key", "k", "--skip", "user_id", typed, "--only", "us", of: "plan") == fields)
      // As bash, then as zsh and fish split it.
      #expect(try answer("--only", "--write-key", "=", "k", typed, "--only", "", of: "plan") == fields)
      #expect(try answer("--only", "--write-key=k", typed, "--only=us", of: "plan") == fields)
      #expect(try answer("--only", "--only", "us", typed, of: "plan").count > fields.count, "no path in front yet")
    }
    // What only the shell can expand is not guessed.
    #expect(try answer("--run", "$HOME/x", "--run", "", of: "rollback", home: home) == [])
    let recipe = try AcmeRecipe()
    let own = try answer("--only", path.shellQuoted, "--recipe", recipe.file, "-P", "token=x", "--only", "", of: "plan")
    #expect(own == ["who-x", "n", "plan"])
    #expect(try answer("positional@1", recipe.file, "", of: "recipe explain") == ["n", "plan"])
    #expect(try answer("positional@1", "person", "", of: "recipe explain").isEmpty == false)
  }

  @Test("the runs and their keys are those of the container, and nothing is written")
  func runs() throws {
    let home = try TemporaryFolder()
    let sample = try SampleCopy("AcmeShop")
    let applied = try Tool.run(
      "env",
      ["HOME=\(home.url.path)", Tool.carryover.path, "apply"] + sample.options
        + ["--set", "user_id=42", "--set", "rudder.app_build=420", "--yes"])
    #expect(applied.status == 0, "\(applied.error)")
    let before = try [sample.path, home.url.path].map(written)
    let runs = try #require(try Tool.carryover("history", sample.path, "--json").json()["runs"] as? [[String: Any]])
    let id = try #require(runs.first?["id"] as? String)
    for subcommand in ["rollback", "history list", "history prune", "recover"] {
      #expect(try answer("--run", sample.path, "--run", "", of: subcommand, home: home.url.path) == [id])
    }
    let keys = try answer("--only", sample.path, "--run", id, "--only", "", of: "rollback", home: home.url.path)
    #expect(keys.contains("user_id") && keys.contains("rudder.app_build"))
    #expect(try answer("--skip", sample.path, "--run", "none", "--skip", "", of: "rollback") == [])
    #expect(try answer("--only", sample.path, "--only", "", of: "cleanup", home: home.url.path).contains("rl_traits"))
    #expect(try [sample.path, home.url.path].map(written) == before)
    let other = try SampleCopy("Clean")
    let empty = try TemporaryFolder()
    #expect(try answer("--run", other.path, "--run", "", of: "rollback", home: empty.url.path) == [])
    #expect(try answer("--only", other.path, "--only", "", of: "plan", home: empty.url.path) != [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: empty.url.path) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.path).contains(".carryover") == false)
  }

  /// Every file and folder below a path, the state too, and when it was written.
  private func written(_ path: String) throws -> [String: Date] {
    let manager = FileManager.default
    return Dictionary(
      uniqueKeysWithValues: try manager.subpathsOfDirectory(atPath: path).map { name in
        let date = try manager.attributesOfItem(atPath: path + "/" + name)[.modificationDate] as? Date
        return (name, try #require(date))
      })
  }

  @Test("containers in a folder, an archive and a backup are those that list prints")
  func containers() throws {
    let forms = try Forms(of: SampleCopy.original("AcmeShop").path, others: 2)
    for form in ["package.zip", "backup", "backup.zip"] {
      let listed = try Tool.carryover("list", forms.path(form), "--json").json()
      let containers = try #require(listed["containers"] as? [[String: Any]])
      let paths = containers.compactMap { $0["path"] as? String }
      #expect(!paths.isEmpty)
      #expect(try answer("--container", forms.path(form), "--container", "", of: "plan") == paths)
      #expect(
        try answer("--app", forms.path(form), "--app", "", of: "inspect")
          == containers.compactMap { $0["bundleID"] as? String ?? $0["bundleId"] as? String })
      let inside = paths.filter { $0 != "." }.map { forms.path(form) + "/" + $0 }
      for subcommand in ["plan", "list", "audit run"] {
        #expect(try answer("positional@0", forms.path(form) + "/", of: subcommand) == inside)
      }
    }
    // The shell shows what is in a folder.
    #expect(try answer("positional@0", forms.folder.url.path + "/", of: "plan") == [])
    #expect(try answer("positional@0", "", of: "plan") == [])
  }

  @Test("an archive that takes long to read is not read")
  func limit() throws {
    let folder = try TemporaryFolder()
    let script = """
      import io, sys, tarfile
      archive, container, size = sys.argv[1:]
      with tarfile.open(archive, 'w') as file:
          file.add(container, 'Shop.xcappdata')
          member = tarfile.TarInfo('film')
          member.size = int(size) << 20
          file.addfile(member, io.BytesIO(bytes(member.size)))
      """
    for (size, found) in [(1, ["Shop.xcappdata"]), (128, [])] {
      let archive = folder.path("\(size).tar")
      let made = try Tool.run("python3", ["-c", script, archive, SampleCopy.original("AcmeShop").path, "\(size)"])
      #expect(made.status == 0, "\(made.error)")
      #expect(try answer("--container", archive, "--container", "", of: "plan") == found)
    }
  }

  @Test("a name that a shell could take for more than a name is not told")
  func hostile() throws {
    let folder = try TemporaryFolder()
    let script = """
      import pathlib, sys, zipfile
      source = pathlib.Path(sys.argv[1])
      names = ['$(touch x)', '`touch x`', 'a;touch x', 'a&b', "it's", 'say "x"', 'back\\\\slash', 'all*', 'a?', '[a]', '{a,b}', '~root', '!!', '#x', '<x',
               '-rf', 'a\\nb', 'a\\tb', 'a\\x1b[31mb', 'a\\u202eb', 'a|b', 'a^b', 'a>b', '$HOME', '(a)',
               'plain', 'with blank', 'Käse 1.0', 'a:b', 'a=b,c@d+e%f_g-h']
      with zipfile.ZipFile(sys.argv[2], 'w') as archive:
          for name in names:
              for path in source.rglob('*'):
                  if path.is_file():
                      archive.write(path, name + '/' + str(path.relative_to(source)))
      """
    let archive = folder.path("x.zip")
    let made = try Tool.run("python3", ["-c", script, SampleCopy.original("AcmeShop").path, archive])
    #expect(made.status == 0, "\(made.error)")
    let harmless = ["Käse 1.0", "a:b", "a=b,c@d+e%f_g-h", "plain", "with blank"]
    #expect(try answer("--container", archive, "--container", "", of: "plan").sorted() == harmless.sorted())
    let inside = try answer("positional@0", archive + "/", of: "plan")
    // Behind the path, a sign at the beginning makes no option.
    #expect(inside.sorted() == (harmless + ["-rf"]).map { archive + "/" + $0 }.sorted())
    // zsh takes what follows a colon for a description.
    #expect(try answer("--container", archive, "--container", "a:", of: "plan", in: "zsh").contains("a\\:b"))
    let acme = try AcmeRecipe()
    let recipe = try acme.changed("key: n,", "key: \"$(touch x)\",")
    let fields = try answer("--only", AcmeRecipe.sample, "--recipe", recipe, "-P", "token=x", "--only", "", of: "plan")
    #expect(fields == ["who-x", "plan"])
  }

  @Test(
    "what no script asks ends with 0 and prints nothing",
    arguments: [
      [], ["--"], ["plan", "--", "--accept"], ["plan", "--", "--accept", "1", "0"],
      ["plan", "--", "--accept", "x", "0", "carryover", "plan"],
      ["plan", "--", "--accept", "9", "0", "carryover", "plan"],
      ["plan", "--", "--accept", "0", "0", "carryover"], ["plan", "--", "--accept", "-1", "0", "carryover", "plan"],
      ["plan", "--", "positional@-1", "2", "0", "carryover", "plan", ""],
      ["plan", "--", "positional@9", "2", "0", "carryover", "plan", ""],
      ["plan", "--", "--no-such", "3", "0", "carryover", "plan", "--no-such", ""],
      ["plan", "--", "--json", "2", "0", "carryover", "plan", ""],
      ["none", "--", "--accept", "1", "0", "carryover", ""],
      ["explain", "--", "positional@0", "2", "0", "carryover", "explain", ""],
    ])
  func nonsense(_ arguments: [String]) throws {
    let result = try Tool.carryover(["---completion"] + arguments)
    #expect(result.status == 0 && result.output.isEmpty && result.error.isEmpty, "\(result)")
  }
}

extension String {
  /// The text as one word of a shell.
  fileprivate var shellQuoted: String { "'" + replacingOccurrences(of: "'", with: "'\\''") + "'" }
}
