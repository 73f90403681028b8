import type { MusterClient, WireRun } from '../../client/index.ts'
import { PAGE_LIMIT } from '../../client/read-all.ts'
import { closestWord } from '../../domain/closest-word.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { ofRepository } from '../repository/newest-job.ts'

/** A role in a run, or in the runs within it. */
export type RoleOfRun = { readonly run: WireRun; readonly role: string }

/** The roles of a run whose words are wanted; without a role, all of them. */
export type RolesOfRun = { readonly run: WireRun; readonly role?: string }

type Client = Pick<MusterClient, 'listRuns' | 'listJobs' | 'getRunPlaybook'>

const TEXT_LIMIT = 40

/** The role of a run that a text names. */
export async function roleOf(
  client: Client,
  run: WireRun,
  text: string,
): Promise<Result<RoleOfRun, Problem>> {
  const roles = await rolesOf(client, run)
  if (roles.includes(text)) return success({ run, role: text })
  const meant = closestWord(text, roles)
  const advice = meant === undefined ? '' : `did you mean ${safeLine(meant)}? `
  return failure({
    type: 'role-unknown',
    exitCode: EXIT.usage,
    message: `${run.id} has no role "${safeLine(text, TEXT_LIMIT)}"`,
    why: `${advice}the roles of ${safeLine(run.playbook)} are ${roles.map((role) => safeLine(role)).join(', ')}`,
    next: `muster runs show ${run.id}`,
  })
}

/** The newest run of the current repository, or else of all. */
export async function newestRun(client: Client, cwd: string): Promise<Result<WireRun | undefined, Problem>> {
  const [runs, jobs] = await Promise.all([
    client.listRuns({ limit: PAGE_LIMIT }),
    client.listJobs({ limit: PAGE_LIMIT }),
  ])
  if (!runs.ok) return failure(apiProblem(runs.failure))
  if (!jobs.ok) return failure(apiProblem(jobs.failure))
  const own = new Set((await ofRepository(jobs.value.items, cwd)).map(({ id }) => id))
  const { items } = runs.value
  return success(items.find(({ jobId }) => own.has(jobId)) ?? items[0])
}

/** The roles of a run's playbook, and of those that its stages follow. */
export async function rolesOf(client: Client, run: WireRun): Promise<readonly string[]> {
  const playbooks = await Promise.all(withChildren(run).map(({ id }) => client.getRunPlaybook(id)))
  const names = playbooks.flatMap((playbook) => (playbook.ok ? Object.keys(playbook.value.roles) : []))
  return [...new Set(names)]
}

export function withChildren(run: WireRun): readonly WireRun[] {
  return [run, ...(run.children ?? []).flatMap(withChildren)]
}
