import PropertyLists

extension Redaction {
  /// A finding whose sentences quote masks. Its code and its weight stay.
  package func finding(_ finding: Finding) -> Finding {
    Finding(finding.observation.masked(by: factMask), field: finding.field, source: finding.source)
  }

  /// A plan whose findings quote masks. Its values are the real ones, so that it can still be decided on and applied;
  /// whoever shows them passes each through `value(_:)`.
  package func findings(of plan: Plan) -> Plan {
    var plan = plan
    plan.containerFindings = plan.containerFindings.map(finding)
    for index in plan.fields.indices { plan.fields[index].findings = plan.fields[index].findings.map(finding) }
    plan.parts = plan.parts.map(findings)
    return plan
  }

  /// A verdict whose sentences quote masks.
  package func verdict(_ verdict: Verdict) -> Verdict { verdict.masked(by: factMask) }

  /// A next launch whose sentences quote masks. Its values are the real ones.
  package func nextLaunch(_ launch: NextLaunch) -> NextLaunch { launch.masked(by: factMask) }

  private var factMask: FactMask {
    FactMask(
      string: { string($0) }, value: { value($0) }, text: { text($0) }, error: { error($0) })
  }

  /// Why a value does not have the form its reader needs, without the piece of it that is quoted.
  package func mismatch(_ mismatch: FormMismatch) -> FormMismatch {
    guard case .notJSONObject(let error?) = mismatch else { return mismatch }
    return .notJSONObject(self.error(error))
  }

  private func error(_ error: JSONError) -> JSONError {
    guard case .invalidToken(let token) = error.kind else { return error }
    return JSONError(kind: .invalidToken(string(token)), position: error.position)
  }
}
