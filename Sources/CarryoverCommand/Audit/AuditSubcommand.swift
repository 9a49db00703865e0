import ArgumentParser

struct AuditSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Plans every container in folders, and counts the fields that are migrated, undecided or lost.",
    discussion: """
      Without a subcommand, it audits the paths. carryover help audit run lists the options for that. A folder with the \
      name of a subcommand is ./report.
      """,
    subcommands: [AuditRunSubcommand.self, AuditReportSubcommand.self, AuditMergeSubcommand.self],
    defaultSubcommand: AuditRunSubcommand.self)
}
