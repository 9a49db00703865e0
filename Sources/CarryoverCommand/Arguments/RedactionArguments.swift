import ArgumentParser

/// Whether what is shown is masked.
struct RedactionArguments: ParsableArguments {
  @Flag(
    help: "Mask personal data: ids, e-mail addresses, traits, tokens and texts. Equal values get equal masks.")
  var redact = false

  /// What this command shows goes through it.
  var masking: Masking { Masking(redact) }
}
