import type { MusterClient, WireJobSummary } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { FollowFlags } from '../follow/follow-flags.ts'
import { followRun } from '../follow/follow-run.ts'
import { followToEnd } from '../follow/follow-to-end.ts'
import { noOpenJob } from '../id-problems.ts'
import type { Outcome, Problem } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { ofRepository } from '../repository/newest-job.ts'
import { withDaemon, withFound } from '../with-daemon.ts'

const TITLE_LIMIT = 60

/** Follows a job as `muster run` does: the named one, a run of it, or the newest open job of this repository. */
export async function watchCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: FollowFlags,
): Promise<Outcome> {
  if (text !== undefined) {
    return withFound(needs, text, ['job', 'run'], (_client, { kind, id }, link) =>
      kind === 'run' ? followRun(needs, link, id, flags) : followToEnd(needs, link, id, flags),
    )
  }
  return withDaemon(needs, async (client, link) => {
    const found = await openJobHere(client, needs.surroundings.cwd)
    if (!found.ok) return found
    const { id, title } = found.value
    needs.output.note(`${id}: ${safeLine(title, TITLE_LIMIT)}`)
    return followToEnd(needs, link, id, flags)
  })
}

async function openJobHere(client: MusterClient, cwd: string): Promise<Result<WireJobSummary, Problem>> {
  const status = await client.status()
  if (!status.ok) return failure(apiProblem(status.failure))
  const own = await ofRepository(status.value.jobs, cwd)
  const newest = [...own].sort((one, other) => other.createdAt.localeCompare(one.createdAt))[0]
  if (newest !== undefined) return success(newest)
  return failure(noOpenJob('watch'))
}
