import type { CommandNeeds } from '../command-needs.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { garbageLines } from '../render/cleanup/garbage-lines.ts'
import { displayOf } from '../render/text/display.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

export type GcFlags = { readonly dryRun?: true }

/** Removes what nothing needs. That loses nothing, so nobody is asked. */
export async function gcCommand(needs: CommandNeeds, { dryRun }: GcFlags): Promise<Outcome> {
  return withDaemon(needs, (client) =>
    withAnswer(client.collectGarbage({ dryRun, signal: needs.output.closed }), (garbage) =>
      printResult(needs, garbage, garbageLines(garbage, displayOf(needs))),
    ),
  )
}
