import type { MusterClient, WireRunComparison } from '../../client/index.ts'
import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { findRun } from '../find-run.ts'
import { withPager } from '../pager/with-pager.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { runComparisonLines } from '../render/run/run-comparison-lines.ts'
import { runLines } from '../render/run/run-lines.ts'
import { runTable } from '../render/run/run-table.ts'
import { diffLines } from '../render/task/diff-lines.ts'
import { displayOf } from '../render/text/display.ts'
import { resolveId } from '../resolve-id.ts'
import { withAnswer, withDaemon, withFound } from '../with-daemon.ts'

import { readStandings } from './runs-of-jobs.ts'

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
    return job.ok ? listRuns(needs, client, { job: job.value?.id, limit }) : job
  })
}

export async function listRuns(
  needs: CommandNeeds,
  client: MusterClient,
  asked: { readonly job?: string | undefined; readonly limit: number },
): Promise<Outcome> {
  return withAnswer(client.listRuns(asked), async (page) => {
    const standings = needs.output.json ? new Map<string, string>() : await readStandings(client, page.items)
    const lines = runTable(page.items, standings, needs.surroundings.now(), displayOf(needs))
    return printResult(needs, page, lines)
  })
}

export async function showRunCommand(needs: CommandNeeds, text: string | undefined): Promise<Outcome> {
  return withDaemon(needs, async (client) => {
    const id = await findRun(needs, client, text)
    if (!id.ok) return id
    return withAnswer(client.getRun(id.value), (run) =>
      printResult(needs, run, runLines(run, displayOf(needs)).slice(1)),
    )
  })
}

export type CompareRunsFlags = { readonly patch?: true }

/** Compares two runs; with --patch, also prints how the files of their results differ. */
export async function compareRunsCommand(
  needs: CommandNeeds,
  one: string,
  other: string,
  flags: CompareRunsFlags,
): Promise<Outcome> {
  return withPager(needs, (paged) =>
    withFound(paged, one, ['run'], async (client, { id }) => {
      const found = await resolveId(client, other, ['run'])
      if (!found.ok) return found
      const options = { with: found.value.id, ...(flags.patch === true ? { patch: 'true' as const } : {}) }
      return withAnswer(client.compareRuns(id, options), (comparison) => printComparison(paged, comparison))
    }),
  )
}

async function printComparison(needs: CommandNeeds, comparison: WireRunComparison): Promise<Outcome> {
  const { output } = needs
  output.value({ success: true, data: comparison })
  for (const line of runComparisonLines(comparison, displayOf(needs))) output.printProse(line)
  const { work } = comparison
  for (const line of work === undefined || work.patch === '' ? [] : diffLines(work, output.paint, 'patch')) {
    output.printExact(line)
    await output.drained()
    if (output.closed.aborted) break
  }
  return success(EXIT.done)
}
