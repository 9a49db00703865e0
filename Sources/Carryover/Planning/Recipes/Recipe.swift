/// The declared mapping from one SDK's stores to another's: sources in order of precedence, the target, the rules field
/// by field, and what is left behind and why.
///
/// A recipe is a value and does nothing by itself; `Planner` makes a plan of it.
public struct Recipe: Hashable, Sendable {
  /// Its stable name, version and title.
  public var reference: RecipeReference
  /// How sentences name the SDK that left the stores: "the legacy SDK"; nil where the app itself, or an SDK that keeps
  /// running, writes them. A container without any of an SDK's values is worth a finding.
  package var legacySDK: String?
  /// How sentences name the migrator that the vendor gives to apps; nil where there is none.
  package var migrator: String?
  /// The file that is written.
  package var target: RecipeTarget
  /// The stores that are read, the most trusted first. A key is taken from the first store that has it.
  package var sources: [SourceStore]
  /// One rule a target key, in the order in which they are shown.
  package var rules: [FieldRule]
  /// Legacy keys that are left behind by design.
  package var leftBehind: [LeftBehind]
  /// Beginnings of key names that belong to the legacy SDK: a key with one of them that no rule names is reported.
  package var legacyPrefixes: [String]
  /// Keys that this SDK writes and no other: where one of them is found, it ran.
  package var marks: Set<String>
  /// Keys that say, in any store, that the user has opted out of tracking.
  package var optOutKeys: [String] = []
  /// Keys that no rule reads and of which it is said where the stores disagree on them.
  package var comparedKeys: [String] = []
  /// Where a mark begins so, the SDK came after the others of its vendor.
  package var newestPrefix: String?
  /// What is known beyond this; nil for the data of an app of its own.
  package var knowledge = Knowledge(vendor: nil)

  /// A recipe from its parts.
  package init(
    reference: RecipeReference, legacySDK: String? = nil, target: RecipeTarget, sources: [SourceStore],
    rules: [FieldRule], leftBehind: [LeftBehind], legacyPrefixes: [String], marks: Set<String>
  ) {
    self.reference = reference
    self.legacySDK = legacySDK
    self.target = target
    self.sources = sources
    self.rules = rules
    self.leftBehind = leftBehind
    self.legacyPrefixes = legacyPrefixes
    self.marks = marks
  }

  /// Whether it changes values in their place: it writes a file that it reads.
  package var isInPlace: Bool {
    sources.contains { source in
      switch (source, target) {
      case (.suite(let read), .suite(let written)): read == written
      case (.plist(let read), .plist(let written)): read.contains(written)
      default: false
      }
    }
  }

  /// Every legacy key that a rule reads or that is left behind by name.
  package var knownKeys: Set<String> {
    Set(rules.flatMap { $0.candidates.map(\.source.key) } + leftBehind.map(\.key))
  }
}

/// How one target key is filled.
package struct FieldRule: Hashable, Sendable {
  /// The target key.
  package var target: String
  /// What the field is about.
  package var group: FieldGroup
  /// The form the target's reader requires.
  package var form: TargetForm
  /// Where the value may come from, the most trusted first: the first one that is present is used.
  package var candidates: [Candidate]
  /// The checks of the result beyond the transform itself, in order. The first one gives the readings.
  package var checks: [CheckReference] = []
  /// The target keys without which another value in the target is one that the new SDK made for itself; empty where that
  /// cannot be told.
  package var freshWithout: [String] = []
  /// The target key that says whom the value describes. It is not written on its own to another one's data.
  package var describes: String?
  /// What a user meets when the field is not migrated; nil where its name says enough.
  package var loss: Loss?
  /// What happened at the moment that the value is; nil for one that is none.
  package var moment: String?

  /// A rule from its parts.
  package init(target: String, group: FieldGroup, form: TargetForm, candidates: [Candidate]) {
    self.target = target
    self.group = group
    self.form = form
    self.candidates = candidates
  }

  /// A rule whose result is checked by its vendor's checks, one after the other.
  package init(
    target: String, group: FieldGroup, form: TargetForm, candidates: [Candidate], check checks: any FieldCheck...,
    freshWithout: [String] = [], describes: String? = nil, loss: Loss? = nil,
    moment: String? = nil
  ) {
    self.init(target: target, group: group, form: form, candidates: candidates)
    self.loss = loss
    self.moment = moment
    self.checks = checks.map(CheckReference.init)
    self.freshWithout = freshWithout
    self.describes = describes
  }

  /// The versioned model that the rule brings to its newest version; nil for a rule about something else.
  package var model: ModelRule? {
    for case .model(let rule) in candidates.flatMap(\.transforms) { return rule }
    return nil
  }
}

/// One place a field's value may come from, and how it is transformed.
package struct Candidate: Hashable, Sendable {
  /// The legacy key, or a member of its JSON text.
  package var source: SourceKey
  /// The transform, step by step.
  package var transforms: [Transform]
  /// Whether an SDK above the legacy one writes the key, in place of what that would do.
  package var isAbove = false

  /// A candidate from its parts.
  package init(_ source: SourceKey, _ transforms: [Transform] = []) {
    self.source = source
    self.transforms = transforms
  }

  /// A candidate of an SDK above the legacy one.
  package init(above source: SourceKey, _ transforms: [Transform]) {
    self.init(source, transforms)
    isAbove = true
  }
}

/// A legacy key that is left behind by design.
package struct LeftBehind: Hashable, Sendable {
  /// The key.
  package var key: String
  /// Why, as a sentence.
  package var reason: String
  /// Whether its value is a secret that no output may show.
  package var secret: Bool
  /// What happened at the moment that its value is; nil for one that is none.
  package var moment: String?

  /// A key from its parts.
  package init(_ key: String, because reason: String, secret: Bool = false, moment: String? = nil) {
    self.key = key
    self.reason = reason
    self.secret = secret
    self.moment = moment
  }
}

/// What a field is about.
public enum FieldGroup: String, CaseIterable, Sendable {
  case identity, traits, session, app, other
}

/// Which recipe made a plan or a run.
public struct RecipeReference: Hashable, Sendable {
  /// The recipe's stable name, such as `rudderstack-objc`.
  public var id: String
  /// The recipe's version; raised whenever its result could change.
  public var version: Int
  /// What the recipe does, in a few words: "RudderStack Obj-C → Swift".
  public var title: String

  /// A reference from its parts.
  package init(id: String, version: Int, title: String) {
    self.id = id
    self.version = version
    self.title = title
  }
}
