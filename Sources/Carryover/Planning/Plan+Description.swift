package import PropertyLists

extension Field: CustomStringConvertible, Described {
  /// The target key and the status, without values, because printed text may end up in a log.
  package var words: String { "\(id): \(status.rawValue)" }
}

extension Plan: CustomStringConvertible, Described {
  /// The recipe, the fields by status and the codes of the findings, without values.
  package var words: String {
    let fields = FieldStatus.allCases.compactMap { status -> String? in
      let names = self.fields.filter { $0.status == status }.map(\.id)
      return names.isEmpty ? nil : "\(status.rawValue): \(names.joined(separator: ", "))"
    }
    let codes = findings.shared.map(\.finding.code.rawValue)
    return ([recipe.id] + fields + (codes.isEmpty ? [] : ["findings: \(codes.joined(separator: ", "))"]))
      .joined(separator: "; ")
  }
}
