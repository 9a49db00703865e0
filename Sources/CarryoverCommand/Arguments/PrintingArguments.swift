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
