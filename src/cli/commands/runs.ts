import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { runLines } from '../render/run/run-lines.ts'
import { runTable } from '../render/run/run-table.ts'
import { displayOf } from '../render/text/display.ts'
import { resolveId } from '../resolve-id.ts'
import { withAnswer, withDaemon, withFound } from '../with-daemon.ts'

export type ListRunsFlags = { readonly limit?: number }

const DEFAULT_LIMIT = 50

/** Lists runs of one job, or the newest of all. */
export async function listRunsCommand(
  needs: CommandNeeds,
  text: string | undefined,
  { limit = DEFAULT_LIMIT }: ListRunsFlags,
): Promise<Outcome> {
  return withDaemon(needs, async (client) => {
    const here = { cwd: needs.surroundings.cwd, say: needs.output.note }
    const job = text === undefined ? success(undefined) : await resolveId(client, text, ['job'], here)
    if (!job.ok) return job
    return withAnswer(client.listRuns({ job: job.value?.id, limit }), (page) =>
      printResult(needs, page, runTable(page.items, needs.surroundings.now(), displayOf(needs))),
    )
  })
}

export async function showRunCommand(needs: CommandNeeds, text: string): Promise<Outcome> {
  return withFound(needs, text, ['run'], (client, { id }) =>
    withAnswer(client.getRun(id), (run) => printResult(needs, run, runLines(run, displayOf(needs)).slice(1))),
  )
}
