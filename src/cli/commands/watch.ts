import type { MusterClient } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { followToEnd } from '../follow/follow-to-end.ts'
import type { Outcome, Problem } from '../problem.ts'
import { ofRepository } from '../repository/newest-job.ts'
import { withDaemon, withFound } from '../with-daemon.ts'

/** Follows a job as the command that started it does; the newest open one of this repository unless named. */
export async function watchCommand(needs: CommandNeeds, text: string | undefined): Promise<Outcome> {
  if (text !== undefined) {
    return withFound(needs, text, ['job'], (_client, { id }, link) => followToEnd(needs, link, id))
  }
  return withDaemon(needs, async (client, link) => {
    const found = await openJobHere(client, needs.surroundings.cwd)
    return found.ok ? followToEnd(needs, link, found.value) : found
  })
}

async function openJobHere(client: MusterClient, cwd: string): Promise<Result<string, Problem>> {
  const status = await client.status()
  if (!status.ok) return failure(apiProblem(status.failure))
  const own = await ofRepository(status.value.jobs, cwd)
  const newest = [...own].sort((one, other) => other.createdAt.localeCompare(one.createdAt))[0]
  if (newest !== undefined) return success(newest.id)
  return failure({
    type: 'no-open-job',
    exitCode: EXIT.usage,
    message: 'no job of this repository is open',
    next: 'muster list jobs, then: muster watch <job>',
  })
}
