import Carryover
import CarryoverContainers
import CarryoverRecipes
import Foundation
import PropertyLists
import Testing

@Suite("carryover recipe new")
struct RecipeNewTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = folder.path("acme.recipe.yaml")
  }

  private static let samples = {
    let examples = Tool.root.appendingPathComponent("Examples").path
    return [examples, examples + "/Findings"].flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".xcappdata") }
        .map { folder + "/" + $0 }
    }.sorted()
  }()

  @Test("a draft of every sample has no issue, passes its own test, and has none of the sample's values")
  func samples() throws {
    #expect(Self.samples.count > 60)
    var count = 0
    for (number, sample) in Self.samples.enumerated() {
      let draft = folder.path("\(number).recipe.yaml")
      let made = try Tool.carryover(
        "recipe", "new", "acme-sdk", "--from", sample, "--write", "com.acme.shop.acme", "-o", draft)
      #expect(made.status == 0, "\(sample): \(made.error)")
      let text = try String(contentsOfFile: draft, encoding: .utf8)
      let values = Self.values(in: try ContainerOpener().open(sample))
      count += values.count
      #expect(values.filter { text.contains($0) || made.error.contains($0) } == [], "\(sample)")
    }
    #expect(count > 500)
    let linted = try Tool.carryover("recipe", "lint", folder.path(""))
    #expect(linted.status == 0 && linted.output.contains("0 errors"), "\(linted.output)")
    let tested = try Tool.carryover("recipe", "test", folder.path(""))
    #expect(tested.status == 0, "\(tested.output)\(tested.error)")
  }

  /// The texts and numbers in a container that could tell something: four bytes or more, and not also a name.
  private static func values(in container: Container) -> [String] {
    var (found, names): (Set<String>, Set<String>) = ([], [])
    func collect(_ value: InspectedValue) {
      switch value.content {
      case .propertyList(.string(let text)), .json(.string(let text)), .keyed(.string(let text)): found.insert(text)
      case .propertyList(.integer(let integer)), .keyed(.integer(let integer)): found.insert(integer.description)
      case .propertyList(.real(let real)), .keyed(.real(let real)): found.insert(real.description)
      case .propertyList(.date(let date)): found.insert(date.description)
      case .propertyList(.data(let bytes)): found.insert(Base64.text(bytes))
      case .json(.number(let number)): found.insert(number.lexeme)
      default: break
      }
      for place in 0..<value.count {
        guard let child = value.child(at: place) else { continue }
        if let name = child.label.name { names.insert(name) }
        collect(child.value)
      }
    }
    for store in container.stores { InspectedValue(store).map(collect) }
    return found.subtracting(names).filter { $0.utf8.count >= 4 }.sorted()
  }

  @Test("nothing planted is in a draft, whatever store it reads")
  func canaries() throws {
    let container = try CanaryContainer()
    for options in [[], ["--store", "rsDefaultsPersistence"], ["--store", "notes.json"], ["--keys", "*"]] {
      let made = try Tool.carryover(["recipe", "new", "acme-sdk", "--from", container.path] + options)
      #expect(made.status == 0, "\(made.error)")
      for canary in CanaryContainer.canaries {
        #expect(!made.output.contains(canary) && !made.error.contains(canary), "\(options): \(canary)")
      }
    }
    let target = "\(CanaryContainer.bundleID).analytics.\(CanaryContainer.writeKey)"
    let refused = try Tool.carryover("recipe", "new", "acme-sdk", "--from", container.path, "--store", target)
    #expect(refused.status == 64 && !refused.error.contains(CanaryContainer.writeKey), "\(refused.error)")
  }

  @Test("a draft says which store it took, is not written over a file, and needs only the suite to write")
  func newcomer() throws {
    let sample = SampleCopy.original("AcmeShop").path
    let new = ["recipe", "new", "acme-sdk", "--from", sample, "--keys", "rl_*", "-o", file]
    let made = try Tool.carryover(new)
    #expect(made.status == 0 && made.error.contains("The draft reads AppData/Library/Preferences/com.acme.shop.plist"))
    #expect(made.error.contains("rsDefaultsPersistence.plist (12 keys)"))
    let draft = try String(contentsOfFile: file, encoding: .utf8)
    let first = draft.split(separator: "\n").prefix(2)
    #expect(first.allSatisfy { $0.hasPrefix("# ") && $0.hasSuffix("Documentation/Schemas/recipe-1.json") })
    let again = try Tool.carryover(new)
    #expect(again.status == 1 && again.error.contains("exists already"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == draft)

    let linted = try Tool.carryover("recipe", "lint", file)
    #expect(linted.status == 1 && linted.output.contains("[R112]") && linted.output.contains("1 error,"))
    try draft.replacingOccurrences(of: "NEW-SUITE", with: "acme").write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try Tool.carryover("recipe", "lint", file, "--fail-on", "warning").status == 0)
    #expect(try Tool.carryover("recipe", "test", file).status == 0)
    #expect(try Tool.carryover("plan", sample, "--recipe", file).output.contains("rl_anonymous_id"))
  }

  @Test("what cannot be drafted is refused in a sentence, and nothing is written")
  func refuses() throws {
    let sample = SampleCopy.original("AcmeShop").path
    for (options, words) in [
      (["acme-sdk", "--from", sample, "--store", "none"], "has no store “none”"),
      (["acme-sdk", "--from", sample, "--keys", "none*"], "--keys"), (["person", "--from", sample], "built-in"),
      (["A", "--from", sample], "3 to 64 characters"),
      (["acme-sdk", "--from", sample, "--write", "a/b"], "without its folder"),
      (["acme-sdk", "--from", sample, "--write", "com.apple.x"], "system"),
    ] {
      let refused = try Tool.carryover(["recipe", "new"] + options + ["-o", file])
      #expect(refused.status == 64 && refused.error.contains(words), "\(options): \(refused.error)")
    }
    let absent = try Tool.carryover("recipe", "new", "acme-sdk", "--from", folder.path("none"), "-o", file)
    #expect(absent.status == 1 && absent.error.contains("nothing at"), "\(absent.error)")
    #expect(!FileManager.default.fileExists(atPath: file))
  }
}
