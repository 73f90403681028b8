import type { MusterClient } from '../../client/index.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { findRun } from '../find-run.ts'
import { withPager } from '../pager/with-pager.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { artifactLines, decisionLines, findingLines } from '../render/run/run-result-lines.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

const MOST = 200

export async function findingsCommand(needs: CommandNeeds, text: string | undefined): Promise<Outcome> {
  return withRun(needs, text, (paged, client, run) =>
    withAnswer(client.listFindings(run, { limit: MOST }), (page) =>
      printResult(paged, page, findingLines(page.items, paged.output.paint)),
    ),
  )
}

export async function artifactsCommand(needs: CommandNeeds, text: string | undefined): Promise<Outcome> {
  return withRun(needs, text, (paged, client, run) =>
    withAnswer(client.listArtifacts(run, { limit: MOST }), (page) =>
      printResult(paged, page, artifactLines(page.items, paged.output.paint)),
    ),
  )
}

export async function decisionsCommand(needs: CommandNeeds, text: string | undefined): Promise<Outcome> {
  return withRun(needs, text, (paged, client, run) =>
    withAnswer(client.listDecisions(run, { limit: MOST }), (page) =>
      printResult(paged, page, decisionLines(page.items, paged.output.paint)),
    ),
  )
}

async function withRun(
  needs: CommandNeeds,
  text: string | undefined,
  work: (needs: CommandNeeds, client: MusterClient, run: string) => Promise<Outcome>,
): Promise<Outcome> {
  return withPager(needs, (paged) =>
    withDaemon(paged, async (client) => {
      const run = await findRun(paged, client, text)
      return run.ok ? work(paged, client, run.value) : run
    }),
  )
}
