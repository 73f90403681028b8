import { failure, success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { clearAway } from '../demo/clear-away.ts'
import { playDemo } from '../demo/play-demo.ts'
import { makePlayground, type Playground } from '../demo/playground.ts'
import { EXIT } from '../exit-code.ts'
import { findProgram } from '../init/find-program.ts'
import type { Outcome } from '../problem.ts'

export type DemoFlags = { readonly keep?: true }

/** The whole of Muster in half a minute, in a place of its own that is gone afterwards. */
export async function demoCommand(needs: CommandNeeds, flags: DemoFlags): Promise<Outcome> {
  if ((await findProgram('git', needs.surroundings.environment['PATH'] ?? '')) === undefined) {
    return failure({
      type: 'git-missing',
      exitCode: EXIT.failed,
      message: 'the demo needs git, which is not on the path',
      next: 'install git, then: muster doctor',
    })
  }
  const stop = new AbortController()
  const signals = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) =>
    needs.surroundings.onSignal(signal, () => stop.abort()),
  )
  const playground = await makePlayground(needs.surroundings)
  try {
    const outcome = await playDemo(needs, playground, AbortSignal.any([stop.signal, needs.output.closed]))
    if (flags.keep === true) sayKept(needs, playground)
    return stop.signal.aborted ? success(EXIT.interrupted) : outcome
  } finally {
    if (flags.keep !== true) await clearAway(playground)
    for (const listening of signals) listening[Symbol.dispose]()
  }
}

function sayKept(needs: CommandNeeds, playground: Playground): void {
  const { output } = needs
  const muster = `muster --home ${playground.home}`
  for (const line of [
    '',
    `kept in ${playground.directory}; the daemon is still running. Play with it:`,
    `  cd ${playground.repository} && git log --graph --oneline --all`,
    `  ${muster} list tasks`,
    `  ${muster} status`,
    `  ${muster} shutdown && rm -r ${playground.directory}     when you have seen enough`,
  ]) {
    output.print(line)
  }
}
