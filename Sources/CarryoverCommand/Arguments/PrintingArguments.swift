import ArgumentParser

struct PrintingArguments: ParsableArguments {
  @Option(help: ArgumentHelp("When to colour the text; auto: on a terminal.", valueName: "when"))
  var color: ColorWhen = .auto

  var paper: Paper { Paper(color) }
}

extension ColorWhen: ExpressibleByArgument {}

struct RedactionArguments: ParsableArguments {
  @Flag(help: "Mask personal data: ids, e-mail addresses, traits, tokens and texts. Equal values get equal masks.")
  var redact = false

  var masking: Masking { Masking(redact) }
}

extension ParsableCommand {
  /// Runs a command whose sentences and output go through a masking.
  func reporting(_ redacting: RedactionArguments, _ work: (Masking) throws -> Void) throws {
    let masking = redacting.masking
    try reporting(masking) { try work(masking) }
  }
}
