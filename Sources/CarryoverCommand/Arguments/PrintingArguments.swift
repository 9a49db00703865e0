import ArgumentParser

/// How a command prints its text.
struct PrintingArguments: ParsableArguments {
  @Option(help: ArgumentHelp("When to colour the text; auto: on a terminal.", valueName: "when"))
  var color: ColorWhen = .auto

  /// What standard output is.
  var paper: Paper { Paper(color) }
}

extension ColorWhen: ExpressibleByArgument {}
