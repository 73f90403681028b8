import type { MusterClient } from '../client/index.ts'
import { readAll } from '../client/read-all.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { apiProblem } from './api-problem.ts'
import type { CommandNeeds } from './command-needs.ts'
import { EXIT } from './exit-code.ts'
import type { Problem } from './problem.ts'
import type { Here } from './repository/newest-job.ts'
import { type Found, findNewest, resolveId } from './resolve-id.ts'

/** The run that a text names: a run, or the newest run of a task or a job. Without a text, that of the newest job. */
export async function findRun(
  needs: CommandNeeds,
  client: MusterClient,
  text: string | undefined,
): Promise<Result<string, Problem>> {
  const here = { cwd: needs.surroundings.cwd, say: needs.output.note }
  if (text === undefined) {
    const newest = await findNewestRun(client, here)
    if (!newest.ok) return newest
    const { job, run } = newest.value
    return run === undefined ? failure(noRun(job)) : success(run)
  }
  const found = await resolveId(client, text, ['run', 'task', 'job'], here)
  return found.ok ? await runOf(client, found.value) : found
}

/** The newest job and its newest run, if it has one. Tells the person which ones they are. */
export async function findNewestRun(
  client: MusterClient,
  here: Here,
): Promise<Result<{ readonly job: string; readonly run: string | undefined }, Problem>> {
  const lines: string[] = []
  const found = await findNewest(client, { ...here, say: (line) => lines.push(line) })
  if (!found.ok) return found
  const job = found.value.id
  const run = await newestRunOf(client, job)
  if (!run.ok) return run
  const about = run.value === undefined ? '' : ` (${run.value})`
  for (const [index, line] of lines.entries()) here.say(index === lines.length - 1 ? line + about : line)
  return success({ job, run: run.value })
}

/** The newest run of a record. */
export async function runOf(
  client: MusterClient,
  { kind, id }: Found<'run' | 'task' | 'job'>,
): Promise<Result<string, Problem>> {
  if (kind === 'run') return success(id)
  const task = kind === 'task' ? await client.getTask(id) : undefined
  if (task?.ok === false) return failure(apiProblem(task.failure))
  const newest = await newestRunOf(client, task?.value.jobId ?? id, task?.value.id)
  if (!newest.ok) return newest
  return newest.value === undefined ? failure(noRun(id)) : success(newest.value)
}

async function newestRunOf(
  client: MusterClient,
  job: string,
  task?: string,
): Promise<Result<string | undefined, Problem>> {
  const runs = await readAll((page) => client.listRuns({ job, ...page }))
  if (!runs.ok) return failure(apiProblem(runs.failure))
  return success(runs.value.findLast(({ taskId }) => task === undefined || taskId === task)?.id)
}

function noRun(id: string): Problem {
  return {
    type: 'id-unknown',
    exitCode: EXIT.usage,
    message: `${id} has no run of a playbook`,
    next: 'muster runs list',
  }
}
