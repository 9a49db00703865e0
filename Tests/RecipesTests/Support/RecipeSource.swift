import CarryoverStorage

/// A recipe file as Swift, so that no app and no command reads YAML for the built-in recipes.
struct RecipeSource {
  let file: RecipeFile
  /// The declaration before the `=`: `public static let rudderStackObjC`.
  let declaration: String

  private func migrator(_ migrator: VendorMigrator) -> String {
    let runs = migrator.runs == .whenCalled ? "" : ", runs: .\(migrator.runs)"
    let removes = migrator.removes ? ", removes: true" : ""
    let moves = migrator.moves.isEmpty ? "" : ", moves: [\(migrator.moves.map(quoted).joined(separator: ", "))]"
    let mark = migrator.mark.map { ", mark: \(quoted($0))" } ?? ""
    return "VendorMigrator(\(quoted(migrator.name))\(runs)\(removes)\(moves)\(mark))"
  }

  func text(fileName: String) -> String {
    let recipe = file.recipe
    let sources = file.sources.isEmpty ? "" : "\n\nSources: \(file.sources.joined(separator: "; "))."
    // The rest is in the code, for people who read the recipe in the command.
    let summary = (recipe.about ?? recipe.reference.title).split(separator: "\n\n").first.map(String.init) ?? ""
    let comment = Self.comment(summary + sources)
    var arguments = [
      "reference: RecipeReference(id: \(quoted(recipe.reference.id)), version: \(recipe.reference.version), title: \(quoted(recipe.reference.title)))"
    ]
    if let about = recipe.about { arguments.append("about: \(paragraphs(about))") }
    if let vendor = recipe.knowledge.vendor { arguments.append("vendor: \(type(of: vendor))()") }
    if let sdk = recipe.legacySDK { arguments.append("legacySDK: \(quoted(sdk))") }
    if let migrator = recipe.migrator { arguments.append("migrator: \(self.migrator(migrator))") }
    if let text = recipe.inTheApp { arguments.append("inTheApp: \(paragraphs(text))") }
    if !recipe.parameters.isEmpty { arguments.append(list("parameters", recipe.parameters.map(parameter))) }
    if !recipe.parameterPlaces.isEmpty {
      arguments.append(list("parameterPlaces", recipe.parameterPlaces.map(parameterPlace)))
    }
    arguments.append("target: \(target(recipe.target))")
    arguments.append(list("sources", recipe.sources.map(source)))
    if !recipe.generations.isEmpty { arguments.append(list("generations", recipe.generations.map(generation))) }
    arguments.append(list("rules", recipe.rules.map(rule)))
    if !recipe.leftBehind.isEmpty { arguments.append(list("leftBehind", recipe.leftBehind.map(leftBehind))) }
    if !recipe.elsewhere.isEmpty { arguments.append(list("elsewhere", recipe.elsewhere.map(elsewhere))) }
    if !recipe.legacyPrefixes.isEmpty { arguments.append("legacyPrefixes: \(texts(recipe.legacyPrefixes))") }
    arguments.append("marks: \(texts(recipe.marks.sorted().map(\.text)))")
    if recipe.isOnlyByName { arguments.append("isOnlyByName: true") }
    if let prefix = recipe.newestPrefix { arguments.append("newestPrefix: \(quoted(prefix))") }
    if !recipe.optOutKeys.isEmpty { arguments.append("optOutKeys: \(texts(recipe.optOutKeys))") }
    if !recipe.comparedKeys.isEmpty { arguments.append("comparedKeys: \(texts(recipe.comparedKeys))") }
    let isModel = recipe.rules.contains { $0.model != nil }
    let imports = isModel ? "import CarryoverStorage\n" : ""
    let access = declaration.hasPrefix("public") ? "public" : "package"
    return """
      // Made from Recipes/\(fileName) by `make record`. Change that file, not this one.
      \(access) import Carryover
      \(imports)
      extension Recipe {
      \(comment.joined(separator: "\n"))
        \(declaration) = Recipe(
          \(arguments.joined(separator: ",\n")))
      }

      """
  }

  private static func comment(_ text: String) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n\n") {
      if !lines.isEmpty { lines.append("  ///") }
      var line = "  ///"
      for word in paragraph.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        if line.count + 1 + word.count > 120 {
          lines.append(line)
          line = "  ///"
        }
        line += " " + word
      }
      lines.append(line)
    }
    return lines
  }

  private func parameter(_ parameter: RecipeParameter) -> String {
    "RecipeParameter(\(quoted(parameter.name)), \(quoted(parameter.title)), form: .\(parameter.form))"
  }

  private func parameterPlace(_ place: ParameterPlace) -> String {
    let members = place.members.isEmpty ? "" : ", members: \(texts(place.members))"
    return "ParameterPlace(\(quoted(place.parameter)), key: \(quoted(place.key))\(members))"
  }

  private func target(_ target: RecipeTarget) -> String {
    switch target {
    case .suite(let name): ".suite(\(template(name)))"
    case .plist(let path): ".plist(\(template(path)))"
    case .archive(let path): ".archive(\(template(path)))"
    case .jsonFiles(let folder): ".jsonFiles(in: \(template(folder)))"
    }
  }

  private func source(_ source: SourceStore) -> String {
    switch source {
    case .suite(let name): ".suite(\(template(name)))"
    case .plist(let paths): ".plist([\(paths.map(template).joined(separator: ", "))])"
    case .json(let path): ".json(\(template(path)))"
    case .file(let paths, let key, let orText):
      ".file([\(paths.map(template).joined(separator: ", "))], as: \(quoted(key))\(orText ? ", orText: true" : ""))"
    case .archive(let paths, let key):
      ".archive([\(paths.map(template).joined(separator: ", "))], as: \(key.map(quoted) ?? "nil"))"
    case .table(let path, let table):
      ".table(\(template(path)), KeyValueTable(\(quoted(table.name)), key: \(quoted(table.key)), value: \(quoted(table.value))))"
    }
  }

  private func generation(_ generation: Generation) -> String {
    let keys = generation.keys.isEmpty ? "" : ", keys: \(texts(generation.keys))"
    let files = generation.files.isEmpty ? "" : ", files: [\(generation.files.map(source).joined(separator: ", "))]"
    let order = generation.mayBeOlder ? ", mayBeOlder: true" : ""
    let migrator = generation.isUnreadByMigrator ? ", isUnreadByMigrator: true" : ""
    let move = generation.move.map { ", move: .\($0)" } ?? ""
    let own = generation.isNewSDKs ? ", isNewSDKs: true" : ""
    return "Generation(\(quoted(generation.name))\(keys)\(files)\(order)\(migrator)\(move)\(own))"
  }

  private func elsewhere(_ elsewhere: Elsewhere) -> String {
    let place =
      switch elsewhere.place {
      case .files(let path): ".files(\(template(path)))"
      case .keys(let keys, let suite):
        ".keys([\(keys.map { "Glob(\(quoted($0.pattern)))" }.joined(separator: ", "))], suite: \(template(suite)))"
      }
    return "Elsewhere(\(place), because: \(quoted(elsewhere.reason)))"
  }

  private func template(_ template: NameTemplate) -> String {
    if template == .app { return ".app" }
    let parts = template.parts.map { part in
      switch part {
      case .text(let text): quoted(text)
      case .parameter(NameTemplate.bundleID): ".bundleID"
      case .parameter(let name): ".parameter(\(quoted(name)))"
      }
    }
    return "[\(parts.joined(separator: ", "))]"
  }

  private func rule(_ rule: FieldRule) -> String {
    var arguments = ["target: \(quoted(rule.target)), group: .\(rule.group), form: .\(rule.form)"]
    arguments.append(list("candidates", rule.candidates.map(candidate)))
    if !rule.requirements.isEmpty {
      arguments.append("requirements: [\(rule.requirements.map(predicate).joined(separator: ", "))]")
    }
    if !rule.checks.isEmpty {
      arguments.append("checks: [\(rule.checks.map { "\(type(of: $0.check))()" }.joined(separator: ", "))]")
    }
    if !rule.freshWithout.isEmpty { arguments.append("freshWithout: \(texts(rule.freshWithout))") }
    if !rule.knownWith.isEmpty { arguments.append("knownWith: \(texts(rule.knownWith))") }
    if let described = rule.describes { arguments.append("describes: \(quoted(described))") }
    if rule.isMigratedByVendor { arguments.append("isMigratedByVendor: true") }
    if rule.keepsTarget { arguments.append("keepsTarget: true") }
    if let loss = rule.loss { arguments.append("loss: \(self.loss(loss))") }
    if let moment = rule.moment { arguments.append("moment: \(quoted(moment))") }
    if let finding = rule.otherwise { arguments.append("otherwise: \(own(finding))") }
    if let keys = rule.forEach { arguments.append("forEach: \(quoted(keys))") }
    if rule.reader != .typed { arguments.append("reader: .\(rule.reader)") }
    return "FieldRule(\n\(arguments.joined(separator: ",\n")))"
  }

  private func candidate(_ candidate: Candidate) -> String {
    let member = candidate.source.member.map { ", member: \(quoted($0))" } ?? ""
    let label = candidate.isAbove ? "above: " : ""
    let steps = candidate.transforms.map(step).joined(separator: ", ")
    let conditions = candidate.conditions.map { condition in
      "Condition(\(predicate(condition.test))\(condition.key.map { ", key: \(quoted($0))" } ?? ""))"
    }
    let when = conditions.isEmpty ? "" : ", when: [\(conditions.joined(separator: ", "))]"
    let doubt = candidate.doubt.map { ", doubt: \(quoted($0))" } ?? ""
    return "Candidate(\(label)SourceKey(\(quoted(candidate.source.key))\(member)), [\(steps)]\(when)\(doubt))"
  }

  private func predicate(_ predicate: Carryover.Predicate) -> String {
    switch predicate {
    case .oneOf(let values): ".oneOf([\(values.map(scalar).joined(separator: ", "))])"
    case .range(let range): ".range(\(range.lowerBound)...\(range.upperBound))"
    case .kind(let kind): ".kind(.\(kind))"
    case .form(let form): ".form(.\(form))"
    case .glob(let glob): ".glob(Glob(\(quoted(glob.pattern))))"
    case .archive(let kinds): ".archive(without: [\(kinds.map { ".\($0)" }.joined(separator: ", "))])"
    case .present, .nonEmpty, .atMostBytes: ".\(predicate)"
    }
  }

  private func step(_ step: Transform) -> String {
    switch step {
    case .jsonWithoutMembers(let names): ".jsonWithoutMembers(\(texts(names)))"
    case .only(let values): ".only([\(values.map(scalar).joined(separator: ", "))])"
    case .except(let values): ".except([\(values.map(scalar).joined(separator: ", "))])"
    case .map(let entries):
      ".map([\(entries.map { ".init(\(scalar($0.from)), to: \(scalar($0.to)))" }.joined(separator: ", "))])"
    case .jsonOnlyMembers(let names): ".jsonOnlyMembers(\(texts(names)))"
    case .jsonRenamedMembers(let entries):
      ".jsonRenamedMembers([\(entries.map { ".init(\(quoted($0.from)), to: \(quoted($0.to)))" }.joined(separator: ", "))])"
    case .model(let rule): ".model(ModelRule(\(model(rule.migrator))))"
    default: ".\(step)"
    }
  }

  private func scalar(_ value: PropertyListValue) -> String {
    switch value {
    case .boolean(let flag): "\(flag)"
    case .integer(let integer): integer.description
    case .string(let text): quoted(text)
    // The test that compares values would find a wrong one.
    default: "\(value)"
    }
  }

  private func loss(_ loss: Loss) -> String {
    switch loss {
    case .loggedOut: return ".loggedOut"
    case .newUser: return ".newUser"
    case .trackedAgain: return ".trackedAgain"
    case .lost(loss.what, loss.kind): return ".lost(\(quoted(loss.what)), .\(loss.kind))"
    default:
      let whole = loss.whole.map { ", partOf: \(quoted($0))" } ?? ""
      return
        "Loss(.\(loss.kind), \(quoted(loss.what)), ahead: \(quoted(loss.ahead)), past: \(quoted(loss.past))\(whole))"
    }
  }

  private func own(_ finding: OwnFinding) -> String {
    "OwnFinding(\(quoted(finding.name)), .\(finding.severity), title: \(quoted(finding.title)), "
      + "message: \(quoted(finding.message)), remedy: \(quoted(finding.remedy)))"
  }

  private func leftBehind(_ key: LeftBehind) -> String {
    if let file = key.file {
      return "LeftBehind(\(quoted(key.key)), file: \(template(file)), because: \(quoted(key.reason)))"
    }
    let secret = key.secret ? ", secret: true" : ""
    let moment = key.moment.map { ", moment: \(quoted($0))" } ?? ""
    return "LeftBehind(\(quoted(key.key)), because: \(quoted(key.reason))\(secret)\(moment))"
  }

  private func model(_ model: ModelMigrator) -> String {
    let shapes = model.versioning.shapes.sorted { $0.key < $1.key }.map { version, shape in
      let forbidden = shape.forbidden.isEmpty ? "" : ", forbidden: \(texts(shape.forbidden.map(\.words).sorted()))"
      return "\(version): ModelShape(required: \(texts(shape.required.map(\.words).sorted()))\(forbidden))"
    }
    let marker = model.versioning.marker.map { "marker: \(quoted($0)), " } ?? ""
    let steps = model.steps.map {
      "ModelStep(from: \($0.from), [\($0.operations.map(operation).joined(separator: ", "))])"
    }
    return """
      ModelMigrator(sound: \(quoted(model.model)), version: \(model.version),
      versioning: ModelVersioning(\(marker)\(list("shapes", shapes))),
      \(list("steps", steps)))
      """
  }

  private func operation(_ operation: ModelOperation) -> String {
    switch operation {
    case .add(let path, let value): ".add(\(quoted(path.words)), \(value.text()))"
    case .rename(let path, let name): ".rename(\(quoted(path.words)), to: \(quoted(name)))"
    case .remove(let path): ".remove(\(quoted(path.words)))"
    // No built-in recipe has others, and the test that compares values would find a wrong one.
    default: "\(operation)"
    }
  }

  private func list(_ label: String, _ items: [String]) -> String {
    items.count > 1 || items.contains { $0.contains("\n") }
      ? "\(label): [\n\(items.joined(separator: ",\n")),\n]" : "\(label): [\(items.joined())]"
  }

  private func texts(_ texts: [String]) -> String { "[\(texts.map(quoted).joined(separator: ", "))]" }

  private func paragraphs(_ text: String) -> String { "\"\"\"\n\(text.replacing("\\", with: "\\\\"))\n\"\"\"" }

  private func quoted(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
  }
}
