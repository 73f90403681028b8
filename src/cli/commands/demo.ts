import { failure, success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { clearAway } from '../demo/clear-away.ts'
import { insidePlayground } from '../demo/inside-playground.ts'
import { keptLines } from '../demo/kept-lines.ts'
import { playDemo } from '../demo/play-demo.ts'
import { makePlayground } from '../demo/playground.ts'
import { EXIT } from '../exit-code.ts'
import { findProgram } from '../init/find-program.ts'
import type { Outcome } from '../problem.ts'
import { stopSignals } from '../stop-signals.ts'

export type DemoFlags = { readonly keep?: true }

/** The whole of Muster in half a minute, in a place of its own that is gone afterwards. */
export async function demoCommand(outer: CommandNeeds, flags: DemoFlags): Promise<Outcome> {
  const { output, surroundings } = outer
  if ((await findProgram('git', surroundings.environment['PATH'] ?? '')) === undefined) {
    return failure({
      type: 'git-missing',
      exitCode: EXIT.failed,
      message: 'the demo needs git, which is not on the path',
      next: 'install git, then: muster doctor',
    })
  }
  const keep = flags.keep === true
  using stop = stopSignals(surroundings)
  const playground = await makePlayground(surroundings)
  const needs = insidePlayground(outer, playground)
  try {
    const outcome = await playDemo(needs, playground, AbortSignal.any([stop.signal, output.closed]), keep)
    if (keep) for (const line of keptLines(surroundings, playground)) output.print(line)
    if (!stop.signal.aborted) return outcome
  } finally {
    if (!keep) await clearAway(needs, playground)
  }
  output.note(keep ? 'stopped' : 'stopped; everything it made is removed')
  return success(EXIT.interrupted)
}
