import CarryoverSystem
import PropertyLists

extension Redaction {
  /// Learns the people after whom entries of a store are named. Such a name is not a value, and may have any form.
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

  /// The name of an entry for display, with the person's mask; nil for other text.
  func person(_ text: String) -> String? { people[text].map(shown) }

  /// The names of entries, for searching in text.
  func peopleEntries() -> [SensitiveIndex.Entry] {
    people.flatMap { name, person in
      [name.text, DisplayText.harmless(name.text)].map {
        SensitiveIndex.Entry(
          bytes: Array($0.utf8), replacement: .text(shown(person)), edges: .any, isTelling: true, precedence: .person)
      }
    }
  }

  private func shown(_ person: PersonInName) -> String {
    "\(person.shown ?? "")-\((mask(Array(person.id.utf8), kind: .id) ?? Mask(kind: .id)).text())"
  }
}
