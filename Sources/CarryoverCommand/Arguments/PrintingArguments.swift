import ArgumentParser

/// How a command prints its text.
struct PrintingArguments: ParsableArguments {
  @Option(help: ArgumentHelp("When to colour the text; auto: on a terminal.", valueName: "when"))
  var color: ColorWhen = .auto

  /// What standard output is.
  var paper: Paper { Paper(color) }
}

extension ColorWhen: ExpressibleByArgument {}

/// Whether what is shown is masked.
struct RedactionArguments: ParsableArguments {
  @Flag(
    help: "Mask personal data: ids, e-mail addresses, traits, tokens and texts. Equal values get equal masks.")
  var redact = false

  /// What this command shows goes through it.
  var masking: Masking { Masking(redact) }
}
