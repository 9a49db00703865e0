import CarryoverStorage
package import PropertyLists

/// The declared mapping from one SDK's stores to another's: the sources in order of precedence, the target, a rule for
/// each field, and the keys that are not migrated.
///
/// A recipe is only data. To plan with it, use ``ContainerMigrator/plan(_:with:options:)``.
public struct Recipe: Hashable, Sendable {
  /// The recipe's id, version and title.
  public var reference: RecipeReference
  /// What the recipe is for and what is known of its stores, in whole paragraphs; nil if it says nothing.
  package var about: String?
  package var origin = RecipeOrigin.builtIn
  /// The name in sentences of the SDK that wrote the stores: "the legacy SDK". Nil if the app itself or a current SDK
  /// writes them. With a name, a container without the SDK's values is a finding.
  package var legacySDK: String?
  package var migrator: VendorMigrator?
  /// How the app prevents the losses for all users: plain paragraphs, and code in Markdown fences. Nil if the recipe
  /// does not say.
  package var inTheApp: String?
  /// The values that the keys and file names contain and that differ between apps; empty once they are filled in.
  package var parameters: [RecipeParameter]
  /// Where the sources state the values of parameters that no key or file name shows, most trusted first.
  package var parameterPlaces: [ParameterPlace]
  package var target: RecipeTarget
  /// The stores to read, most trusted first. A key is read from the first store that has it.
  package var sources: [SourceStore]
  package var rules: [FieldRule]
  /// Which keys and files belong together, most trusted first; empty if the order of the fields' sources says it.
  package var generations: [Generation]
  package var leftBehind: [LeftBehind]
  package var elsewhere: [Elsewhere]
  /// Prefixes of the legacy SDK's keys. A finding reports each key with such a prefix that no rule names.
  package var legacyPrefixes: [String]
  /// Keys that only this SDK writes. If one of them exists, the SDK has run.
  package var marks: Set<StringByBytes>
  /// Whether the recipe is followed only if the user names it: the container does not show where its data goes.
  package var isOnlyByName: Bool
  /// Keys that state, in any store, that the user opted out of tracking.
  package var optOutKeys: [String]
  /// The opt-out keys of built-in recipes, for a recipe file: their parameters stand for any text.
  package var knownOptOuts: [String] = []
  /// The files of built-in recipes that are not suites or property lists and may have such a key, for a recipe file.
  package var knownOptOutFiles: [SourceStore] = []
  /// Keys that no rule reads. A finding reports them if stores disagree on them.
  package var comparedKeys: [String]
  /// The prefix of marks that show that this SDK ran after the others of its vendor; nil if there is none.
  package var newestPrefix: String?
  package var knowledge: Knowledge

  package init(
    reference: RecipeReference, about: String? = nil, vendor: (any Vendor)? = nil, legacySDK: String? = nil,
    migrator: VendorMigrator? = nil, inTheApp: String? = nil, parameters: [RecipeParameter] = [],
    parameterPlaces: [ParameterPlace] = [], target: RecipeTarget, sources: [SourceStore],
    generations: [Generation] = [], rules: [FieldRule], leftBehind: [LeftBehind] = [], elsewhere: [Elsewhere] = [],
    legacyPrefixes: [String] = [], marks: [String], isOnlyByName: Bool = false, newestPrefix: String? = nil,
    optOutKeys: [String] = [], comparedKeys: [String] = []
  ) {
    self.reference = reference
    self.about = about
    knowledge = Knowledge(vendor: vendor)
    self.legacySDK = legacySDK
    self.migrator = migrator
    self.inTheApp = inTheApp
    self.newestPrefix = newestPrefix
    self.optOutKeys = optOutKeys
    self.comparedKeys = comparedKeys
    self.parameters = parameters
    self.parameterPlaces = parameterPlaces
    self.target = target
    self.sources = sources
    self.generations = generations
    self.rules = rules
    self.leftBehind = leftBehind
    self.elsewhere = elsewhere
    self.legacyPrefixes = legacyPrefixes
    self.marks = Set(bytesOf: marks)
    self.isOnlyByName = isOnlyByName
  }

  /// The values in place of its former parameters, by name.
  package var values: [String: String] = [:]
  /// The target before values stood in place of its parameters; nil if none do.
  var unfilledTarget: RecipeTarget?

  /// Whether the recipe changes values in place: it writes a file that it reads, and no rule moves a value to another key.
  package var isInPlace: Bool {
    readsTarget
      && rules.allSatisfy { rule in
        rule.candidates.isEmpty || rule.candidates.contains { $0.source.key.hasSameBytes(as: rule.target) }
      }
  }

  /// Whether others than the new SDK write to the target: the legacy SDK, or the app with its own preferences.
  var sharesTarget: Bool { readsTarget || target == .suite([.bundleID]) }

  package var readsTarget: Bool {
    sources.contains { source in
      switch (source, target) {
      case (.suite(let read), .suite(let written)): read == written
      case (.plist(let read), .plist(let written)), (.archive(let read, as: nil), .archive(let written)):
        read.contains(written)
      default: false
      }
    }
  }

  package var rulesByTarget: [StringByBytes: FieldRule] {
    Dictionary(rules.map { (StringByBytes($0.target), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether a plan can have a field of this name, with or without the recipe's id, for any values of parameters.
  package func mayHaveField(_ name: String) -> Bool { rules.contains { mayName(name, $0) } }

  /// The field whose name differs from this one only in the values of parameters; nil if there is none.
  package func field(like name: String, with values: [String: String]) -> String? {
    zip(rules, filled(values).rules).first { rule, own in
      rule.forEach == nil && rule.target != own.target && mayName(name, rule)
    }?.1.target
  }

  private func mayName(_ name: String, _ rule: FieldRule) -> Bool {
    [rule.target, FieldOwner.name(rule.target, of: reference.id)].contains { KeyPattern($0).matches(name) }
  }

  /// The files that a container's opening finds only because the recipe names them.
  package var files: [StoreFile] {
    sources.flatMap(\.files) + target.files(of: rules.map(\.target))
      + leftBehind.compactMap(\.file).map { StoreFile($0, isSign: true) } + elsewhere.flatMap(\.files)
  }

  /// Every legacy key that a rule reads, or that is not migrated by design.
  package var knownKeys: Set<StringByBytes> {
    Set(bytesOf: rules.flatMap { $0.candidates.map(\.source.key) } + leftBehind.filter(\.isKey).map(\.key))
  }

  /// The prefixes of all other keys that the recipe knows: the legacy SDK's, and those that are not migrated by design.
  package var keyPrefixes: [String] { legacyPrefixes + leftBehind.compactMap(\.prefix) }

  package var ownFindings: [OwnFinding] { rules.compactMap(\.otherwise).distinct(by: \.name) }

  /// The recipe of a file, for which every opt-out known to a built-in recipe counts.
  package func knowing(optOutsOf builtIn: [Recipe]) -> Recipe {
    var recipe = self
    recipe.knownOptOuts = builtIn.flatMap(\.optOutKeys)
    recipe.knownOptOutFiles = builtIn.flatMap { known in
      known.sources.filter { source in
        switch source {
        case .suite, .plist, .json, .table: false
        case .file(_, let key, _): known.optOutKeys.containsBytes(of: key)
        case .archive(_, let key): key.map(known.optOutKeys.containsBytes) ?? !known.optOutKeys.isEmpty
        }
      }
    }
    return recipe
  }
}

package enum RecipeOrigin: Hashable, Sendable {
  case builtIn
  /// A file, by its path as the user named it. Nothing is written by it until the user trusts its content.
  case file(path: String, isTrusted: Bool)
}

package struct FieldRule: Hashable, Sendable {
  package var target: String
  package var group: FieldGroup
  package var form: TargetForm
  package var reader = TargetReader.typed
  /// The possible sources of the value, most trusted first. The first one that exists and meets its conditions is used.
  package var candidates: [Candidate]
  /// What the proposal must be. Otherwise there is none, and the field needs a decision.
  package var requirements: [Predicate] = []
  /// The checks of the result after the transform, in order. The first one gives the readings.
  package var checks: [CheckReference] = []
  /// Target keys that the new SDK's own initial state does not have: without them, another value in the target is one
  /// that the SDK created itself. Empty if that is unknown.
  package var freshWithout: [String] = []
  /// The target keys of which one has a legacy value wherever a missing one means that nobody was logged in. Empty if it
  /// always means that.
  package var knownWith: [String] = []
  /// The target key of the user whom the value describes. The value is never written beside another user's.
  package var describes: String?
  package var isMigratedByVendor = false
  /// Whether a value that the new SDK reads in the target is always the right one: the SDK writes it anew at each start.
  package var keepsTarget = false
  /// The loss for the user if the field is not migrated; nil if its name says enough.
  package var loss: Loss?
  /// The event at the time in the value; nil if the value is not a time.
  package var moment: String?
  /// What the recipe says if no source has a value; nil if it says nothing.
  package var otherwise: OwnFinding?
  /// The beginning of the keys for each of which the rule stands, with a `*` at its end; nil for a rule of one field.
  package var forEach: String?
  /// In an expanded recipe, the place of the rule that this one comes from; otherwise nil.
  var place: Int?

  package init(
    target: String, group: FieldGroup, form: TargetForm, candidates: [Candidate], requirements: [Predicate] = [],
    checks: [any FieldCheck] = [],
    freshWithout: [String] = [], knownWith: [String] = [], describes: String? = nil, isMigratedByVendor: Bool = false,
    keepsTarget: Bool = false, loss: Loss? = nil,
    moment: String? = nil, otherwise: OwnFinding? = nil, forEach: String? = nil, reader: TargetReader = .typed
  ) {
    self.target = target
    self.group = group
    self.form = form
    self.reader = reader
    self.candidates = candidates
    self.requirements = requirements
    self.checks = checks.map { CheckReference(check: $0) }
    self.freshWithout = freshWithout
    self.knownWith = knownWith
    self.describes = describes
    self.isMigratedByVendor = isMigratedByVendor
    self.keepsTarget = keepsTarget
    self.loss = loss
    self.moment = moment
    self.otherwise = otherwise
    self.forEach = forEach
  }

  package var model: ModelRule? { candidates.lazy.compactMap(\.model).first }
}

package struct Candidate: Hashable, Sendable {
  package var source: SourceKey
  package var transforms: [Transform]
  /// The conditions under which the source counts. All must be met.
  package var conditions: [Condition] = []
  /// Why the value may be another than the field needs, as a sentence; nil if it is sure. The field then asks.
  package var doubt: String?
  /// Whether an SDK above the legacy one writes the key instead of it.
  package var isAbove = false

  package init(
    _ source: SourceKey, _ transforms: [Transform] = [], when conditions: [Condition] = [], doubt: String? = nil
  ) {
    self.source = source
    self.transforms = transforms
    self.conditions = conditions
    self.doubt = doubt
  }

  package var model: ModelRule? {
    for case .model(let rule) in transforms { return rule }
    return nil
  }

  package init(above source: SourceKey, _ transforms: [Transform], when conditions: [Condition] = []) {
    self.init(source, transforms, when: conditions)
    isAbove = true
  }
}

/// The subject of a field.
public enum FieldGroup: String, CaseIterable, Sendable, JSONConvertible {
  case identity, traits, session, app, consent, other
}

/// The recipe of a plan or a run.
public struct RecipeReference: Hashable, Sendable {
  /// The recipe's stable id, such as `rudderstack-objc`.
  public var id: String
  /// The recipe's version, which increases whenever its result can change.
  public var version: Int
  /// The recipe's title: "RudderStack Obj-C → Swift".
  public var title: String
  /// The SHA-256 of the recipe's file, in hexadecimal; nil for a built-in recipe.
  package var digest: String?

  package init(id: String, version: Int, title: String, digest: String? = nil) {
    self.id = id
    self.version = version
    self.title = title
    self.digest = digest
  }
}

extension TargetForm {
  package var words: String {
    switch self {
    case .string: "a string"
    case .decimalString: "a string of decimal digits"
    case .jsonObjectString: "a string with a JSON object"
    case .jsonObjectData: "data with a JSON object"
    case .data: "data"
    case .boolean: "a boolean"
    case .integer: "an integer"
    }
  }
}
