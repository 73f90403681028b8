import type { MusterClient, WireJobSummary, WireNamedRecord } from '../client/index.ts'
import { PAGE_LIMIT, readAll } from '../client/read-all.ts'
import { idPrefix, kindOfId } from '../domain/id.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { NAMED_KINDS, type NamedKind } from '../domain/short-id.ts'
import { taskName } from '../domain/task/task-name.ts'
import { apiProblem } from './api-problem.ts'
import { ambiguousId, noJob, noJobHere, noTask, unknownId, unsuitable } from './id-problems.ts'
import type { Problem } from './problem.ts'
import { safeLine } from './render/text/safe-text.ts'
import { type Here, newestJob, ofRepository } from './repository/newest-job.ts'

export type FindableKind = Extract<NamedKind, 'job' | 'task' | 'session' | 'landing' | 'run' | 'approval'>
export type Found<Kind extends NamedKind> = { readonly kind: Kind; readonly id: string }
export type FoundId = Found<FindableKind>

const TITLE_LIMIT = 60
const NOWHERE: Here = { cwd: '/', say: () => {} }
/** The short name of a task: `t1-2`, or `1.2`, which older task lists contain. */
const LABEL = /^(?:t(\d{1,6})-|(\d{1,6})\.)(\d{1,6})$/

/**
 * Finds the one record that `text` names: by its ID, the short form or the start of its ID, or, for jobs and tasks, by
 * part of its title. The prefix before the underscore may be missing. A task of the newest job of the current
 * repository can also be named by its short name. Never guesses between several records.
 */
export async function resolveId<Kind extends NamedKind>(
  client: MusterClient,
  text: string,
  kinds: readonly Kind[],
  here: Here = NOWHERE,
): Promise<Result<Found<Kind>, Problem>> {
  const whole = kindOfId(text)
  const kind = kinds.find((candidate) => candidate === whole)
  if (kind !== undefined) return success({ kind, id: text })
  const taskKind = kinds.find((candidate) => candidate === 'task')
  if (LABEL.test(text) && taskKind !== undefined) return resolveTaskLabel(client, text, taskKind, here)
  const other = otherKind(text, kinds)
  if (other !== undefined) return failure(unsuitable(text, other, kinds))

  const names = await client.findNames({ text, kinds: [...kinds] })
  if (!names.ok) return failure(apiProblem(names.failure))
  const found = await meant(names.value.items, text, here)
  const [only, ...others] = found
  const onlyKind = kinds.find((candidate) => candidate === only?.kind)
  if (only === undefined || onlyKind === undefined) return failure(unknownId(text, kinds))
  if (others.length > 0) return failure(ambiguousId(text, found))
  if (only.by === 'title')
    here.say([only.id, only.name, safeLine(only.title, TITLE_LIMIT)].filter(Boolean).join(': '))
  return success({ kind: onlyKind, id: only.id })
}

/** The records that a text can mean. A short ID that was printed means its record, whatever else starts that way. */
async function meant(
  items: readonly WireNamedRecord[],
  text: string,
  here: Here,
): Promise<readonly WireNamedRecord[]> {
  const short = items.filter(({ by }) => by === 'short-id')
  const ids = short.length > 0 ? short : items.filter(({ by }) => by === 'id-start')
  const hasPrefix = NAMED_KINDS.some((kind) => text.startsWith(`${idPrefix(kind)}_`))
  if (hasPrefix && ids.length > 0) return ids
  return [...ids, ...(await titled(items, text, here))]
}

/** Jobs come before tasks, this repository before others, and a whole title before a part of one. */
async function titled(
  items: readonly WireNamedRecord[],
  text: string,
  here: Here,
): Promise<readonly WireNamedRecord[]> {
  const all = items.filter(({ by }) => by === 'title')
  const jobs = all.filter(({ kind }) => kind === 'job')
  const first = jobs.length > 0 ? jobs : all
  const own = await ofRepository(first, here.cwd)
  const near = own.length > 0 ? own : first
  const whole = near.filter(({ title }) => title.toLowerCase() === text.trim().toLowerCase())
  return whole.length > 0 ? whole : near
}

/** The newest job of the current repository, or else of all. Tells the person which one it is. */
export async function findNewest(client: MusterClient, here: Here): Promise<Result<Found<'job'>, Problem>> {
  const newest = await chooseNewest(client, here)
  if (!newest.ok) return newest
  if (newest.value === undefined) return failure(noJob())
  const { id, title } = newest.value
  here.say(`${id}: ${safeLine(title, TITLE_LIMIT)}`)
  return success({ kind: 'job', id })
}

/** The newest job. A command that changes something takes one of another repository only if it is named. */
async function chooseNewest(
  client: MusterClient,
  here: Here,
): Promise<Result<WireJobSummary | undefined, Problem>> {
  if (here.isChange !== true) {
    const newest = await newestJob(client, here)
    return newest.ok ? newest : failure(apiProblem(newest.failure))
  }
  const jobs = await client.listJobs({ limit: PAGE_LIMIT })
  if (!jobs.ok) return failure(apiProblem(jobs.failure))
  const [own] = await ofRepository(jobs.value.items, here.cwd)
  if (own !== undefined || jobs.value.items.length === 0) return success(own)
  return failure(noJobHere(jobs.value.items))
}

/** The ID of the job that a --job flag names; undefined without the flag. */
export async function resolveJobFlag(
  client: MusterClient,
  text: string | undefined,
): Promise<Result<string | undefined, Problem>> {
  if (text === undefined) return success(undefined)
  const found = await resolveId(client, text, ['job'])
  return found.ok ? success(found.value.id) : found
}

/** Finds a task of the newest job of the current repository by its short name. */
async function resolveTaskLabel<Kind extends NamedKind>(
  client: MusterClient,
  label: string,
  kind: Kind,
  here: Here,
): Promise<Result<Found<Kind>, Problem>> {
  const newest = await chooseNewest(client, here)
  if (!newest.ok) return newest
  const job = newest.value
  if (job === undefined) return failure(noTask(label, 'there is no job yet', 'muster list jobs'))
  const tasks = await readAll((page) => client.listTasks({ job: job.id, ...page }))
  if (!tasks.ok) return failure(apiProblem(tasks.failure))
  const wanted = label.replace(LABEL, 't$1$2-$3')
  const found = tasks.value.find((task) => taskName(task) === wanted)
  if (found !== undefined) return success({ kind, id: found.id })
  const why = `the newest job is ${job.id}; name a task of another job by its ID`
  return failure(noTask(label, why, `muster list tasks --job ${job.id}`))
}

/** The kind that the text names by its form, if it is not one of the requested kinds. */
function otherKind(text: string, kinds: readonly NamedKind[]): NamedKind | undefined {
  if (LABEL.test(text)) return 'task'
  const named = NAMED_KINDS.find((kind) => text.startsWith(`${idPrefix(kind)}_`))
  return named === undefined || kinds.includes(named) ? undefined : named
}
