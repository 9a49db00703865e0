import PropertyLists

extension Redaction {
  /// A finding whose sentences quote masks. Its code and severity do not change.
  package func finding(_ finding: Finding) -> Finding {
    Finding(finding.observation.masked(by: factMask), field: finding.field, source: finding.source)
  }

  /// A plan whose findings quote masks. Its values are real, so that it can still be decided and applied. Mask each
  /// value with `value(_:)` for display.
  package func findings(of plan: Plan) -> Plan {
    var plan = plan
    plan.containerFindings = plan.containerFindings.map(finding)
    plan.fields = plan.fields.map { field in
      var field = field
      field.findings = field.findings.map(finding)
      return field
    }
    plan.parts = plan.parts.map(findings)
    plan.others = plan.others.map(findings)
    return plan
  }

  /// What became of a source, with a sentence that quotes masks. Its values are real.
  package func trial(_ trial: CandidateTrial) -> CandidateTrial {
    var trial = trial
    if let reason = trial.failure?.reason { trial.failure?.reason = reason.masked(by: factMask) }
    return trial
  }

  /// A verdict whose sentences quote masks.
  package func verdict(_ verdict: Verdict) -> Verdict { verdict.masked(by: factMask) }

  /// Simulated launches whose sentences quote masks. Their values are real.
  package func nextLaunch(_ launch: NextLaunch) -> NextLaunch { launch.masked(by: factMask) }

  private var factMask: FactMask {
    FactMask(
      string: { string($0) }, value: { value($0) }, text: { text($0) }, error: { error($0) })
  }

  /// The mismatch of a value, without the quoted piece of the value.
  package func mismatch(_ mismatch: FormMismatch) -> FormMismatch {
    guard case .notJSONObject(let error?) = mismatch else { return mismatch }
    return .notJSONObject(self.error(error))
  }

  private func error(_ error: JSONError) -> JSONError {
    guard case .invalidToken(let token) = error.kind else { return error }
    return JSONError(kind: .invalidToken(string(token)), position: error.position)
  }
}
