import Carryover
import CarryoverContainers
import CarryoverReview

extension ReviewSubcommand {
  /// The whole review by prompts.
  func reviewByPrompts(_ masking: Masking) throws {
    let screen = try screen.settings()
    let glyphs = screen.glyphs(AccessibleArguments.usualGlyphs)
    try container.openByPrompts(
      glyphs, reading: planning.files, workers: planning.workerArguments, masking
    ) { opened, selection, policy in
      let job = try job(opened, selection, asking: true, policy: policy, masking)
      let runner = job.runner
      try LineLoop(runner, masking, keeper: job.keeper).run(
        job, options: screen.options(glyphs, at: job.plan.now, masking))
      for line in runner.summary { try Console.print(masking.text(line)) }
    }
  }
}
