import CarryoverSystem
import PropertyLists

extension Redaction {
  /// Learns whom the entries of a store are about that are called after them. Such a name is no value, and may look like
  /// anything.
  mutating func learnPeople(in store: Store) {
    for vendor in vendors {
      for person in vendor.people(in: store) where people[person.name] == nil {
        learn([.propertyList(.string(person.id), .of(.id))])
        guard person.shown != nil else { continue }
        people[person.name] = person
        isStale = true
      }
    }
  }

  /// The name of an entry as it is shown, with the person's mask; nil for any other text.
  func person(_ text: String) -> String? { people[text].map(shown) }

  /// The names of entries, to be found in text.
  func peopleEntries() -> [SensitiveIndex.Entry] {
    people.flatMap { name, person in
      [name, DisplayText.harmless(name)].map {
        SensitiveIndex.Entry(
          bytes: Array($0.utf8), replacement: .text(shown(person)), edges: .any, isTelling: true, precedence: .person)
      }
    }
  }

  private func shown(_ person: PersonInName) -> String {
    "\(person.shown ?? "")-\((mask(Array(person.id.utf8), kind: .id) ?? Mask(kind: .id)).text())"
  }
}
