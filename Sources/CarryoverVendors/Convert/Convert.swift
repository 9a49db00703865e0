package import Carryover
import PropertyLists

/// Knowledge about Convert's SDK that is not in the recipe.
package struct Convert: Vendor {
  package let name = "convert"
  package var recipes: [Recipe] { [.convertIOS] }
  package var checks: [any FieldCheck] { [VisitorMirrorCheck()] }
  package var groups: [FindingGroup] { [FindingGroup("convert", "what Convert's SDK keeps")] }
  package var findings: [FindingCode] {
    [
      .convertConfigCorrupt, .convertConfigKeyCollision, .convertDecisionsCorrupt, .convertDecisionsElsewhere,
      .convertIDElsewhere, .convertIDsDiffer, .convertQueueCorrupt, .convertUploading,
    ]
  }

  package var traces: Traces {
    Traces(signs: ["Library/Application Support/\(ConvertNames.folder)/\(ConvertNames.uploading)"])
  }

  package func observations(_ facts: ContainerFacts) -> VendorObservations {
    VendorObservations(documents: ConvertStores(facts.container).observations)
  }

  package func basis(_ recipe: Recipe, in container: Container) -> [PlanBasis] { ConvertStores.basis(container) }

  package func remarks(on container: Container) -> [StoreRemark] { container.convertRemarks }

  /// The entries of the decisions are named `<account>-<project>-<visitor>`. Any other name counts as an id as a whole.
  /// A file that does not have the SDK's form is read as far as possible.
  package func people(in store: Store) -> [PersonInName] {
    guard store.name == ConvertNames.decisions, case .json(let json) = store.content else { return [] }
    let entries = json.value["store"]?.members?.map(\.name) ?? []
    let order = json.value["order"]?.elements?.compactMap(\.stringValue) ?? []
    return (entries + order).filter { !$0.isEmpty }.map { key in
      let subject = ConvertDecisions.Subject(key: key)
      return PersonInName(name: key, id: subject?.visitor ?? key, shown: subject?.project)
    }
  }
}
