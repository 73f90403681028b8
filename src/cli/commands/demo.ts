import { failure, success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { cleanUp } from '../demo/clean-up.ts'
import { insidePlayground } from '../demo/inside-playground.ts'
import { keptLines } from '../demo/kept-lines.ts'
import { playDemo } from '../demo/play-demo.ts'
import { DEMO, makePlayground } from '../demo/playground.ts'
import { EXIT } from '../exit-code.ts'
import { findProgram } from '../init/find-program.ts'
import type { Outcome } from '../problem.ts'
import { stopSignals } from '../stop-signals.ts'

export type DemoFlags = { readonly keep?: true }

/** Shows all of Muster in half a minute, in a temporary directory that is removed afterwards. */
export async function demoCommand(outer: CommandNeeds, flags: DemoFlags): Promise<Outcome> {
  const { output, surroundings } = outer
  if ((await findProgram('git', surroundings.environment['PATH'] ?? '')) === undefined) {
    return failure({
      type: 'git-missing',
      exitCode: EXIT.failed,
      message: 'the demo needs git, which is not on your PATH',
      next: 'install git, then: muster doctor',
    })
  }
  const keep = flags.keep === true
  using stop = stopSignals(surroundings)
  const playground = await makePlayground(surroundings, DEMO)
  const needs = insidePlayground(outer, playground)
  try {
    const outcome = await playDemo(needs, playground, AbortSignal.any([stop.signal, output.closed]), keep)
    if (keep) for (const line of keptLines(surroundings, playground)) output.print(line)
    if (!stop.signal.aborted) return outcome
  } finally {
    if (!keep) await cleanUp(needs, playground)
  }
  output.note(keep ? 'stopped' : 'stopped; everything the demo created is removed')
  return success(EXIT.interrupted)
}
