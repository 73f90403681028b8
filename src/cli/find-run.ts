import type { MusterClient } from '../client/index.ts'
import { readAll } from '../client/read-all.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { apiProblem } from './api-problem.ts'
import type { CommandNeeds } from './command-needs.ts'
import { EXIT } from './exit-code.ts'
import type { Problem } from './problem.ts'
import { type Found, findNewest, resolveId } from './resolve-id.ts'

/** The run that a text names: a run, or the newest run of a task or a job. Without a text, that of the newest job. */
export async function findRun(
  needs: CommandNeeds,
  client: MusterClient,
  text: string | undefined,
): Promise<Result<string, Problem>> {
  const here = { cwd: needs.surroundings.cwd, say: needs.output.note }
  const found =
    text === undefined
      ? await findNewest(client, here)
      : await resolveId(client, text, ['run', 'task', 'job'], here)
  return found.ok ? await runOf(client, found.value) : found
}

/** The newest run of a record. */
export async function runOf(
  client: MusterClient,
  { kind, id }: Found<'run' | 'task' | 'job'>,
): Promise<Result<string, Problem>> {
  if (kind === 'run') return success(id)
  const task = kind === 'task' ? await client.getTask(id) : undefined
  if (task?.ok === false) return failure(apiProblem(task.failure))
  const job = task?.value.jobId ?? id
  const runs = await readAll((page) => client.listRuns({ job, ...page }))
  if (!runs.ok) return failure(apiProblem(runs.failure))
  const newest = runs.value.findLast(({ taskId }) => task === undefined || taskId === task.value.id)
  return newest === undefined ? failure(noRun(id)) : success(newest.id)
}

function noRun(id: string): Problem {
  return {
    type: 'id-unknown',
    exitCode: EXIT.usage,
    message: `${id} has no run of a playbook`,
    next: 'muster runs list',
  }
}
