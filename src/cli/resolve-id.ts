import type { ApiError, MusterClient, Page } from '../client/index.ts'
import { type IdKind, kindOfId } from '../domain/id.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { apiProblem } from './api-problem.ts'
import { EXIT } from './exit-code.ts'
import type { Problem } from './problem.ts'
import { safeLine } from './render/text/safe-text.ts'
import type { Here } from './repository/newest-job.ts'
import { isTaskLabel, resolveTaskLabel } from './resolve-task-label.ts'

export type FindableKind = Extract<IdKind, 'job' | 'task' | 'session' | 'landing' | 'approval'>
export type FoundId = { readonly kind: FindableKind; readonly id: string }

const PREFIXES = {
  job: 'job_',
  task: 'tsk_',
  session: 'ses_',
  landing: 'lnd_',
  approval: 'apr_',
} as const satisfies Record<FindableKind, string>
const PAGE = 200
const MOST_PAGES = 10
const SHOWN_CANDIDATES = 6
const NOWHERE: Here = { cwd: '/', say: () => {} }

/**
 * A whole id, or the only one that begins with `text`; the part before the underscore may be left out. Tasks of
 * the newest job of where the person is also go by their short names.
 */
export async function resolveId(
  client: MusterClient,
  text: string,
  kinds: readonly FindableKind[],
  here: Here = NOWHERE,
): Promise<Result<FoundId, Problem>> {
  const whole = kindOfId(text)
  const kind = kinds.find((candidate) => candidate === whole)
  if (kind !== undefined) return success({ kind, id: text })
  if (isTaskLabel(text) && kinds.includes('task')) {
    const task = await resolveTaskLabel(client, text, here)
    return task.ok ? success({ kind: 'task', id: task.value }) : task
  }
  const other = otherKind(text, kinds)
  if (other !== undefined) return failure(unsuitable(text, other, kinds))

  const found: FoundId[] = []
  for (const candidate of kinds.filter((kindOf) => mayBe(kindOf, text))) {
    const ids = await idsOf(client, candidate)
    if (!ids.ok) return failure(apiProblem(ids.failure))
    const matching = ids.value.filter((id) => id.startsWith(withPrefix(candidate, text)))
    found.push(...matching.map((id) => ({ kind: candidate, id })))
  }
  const [only, ...others] = found
  if (only === undefined) return failure(unknownId(text, kinds))
  return others.length === 0 ? success(only) : failure(ambiguousId(text, found))
}

/** What the text names instead, when its form says that it is none of what was asked for. */
function otherKind(text: string, kinds: readonly FindableKind[]): FindableKind | undefined {
  if (isTaskLabel(text)) return 'task'
  const named = (Object.keys(PREFIXES) as FindableKind[]).find((kind) => text.startsWith(PREFIXES[kind]))
  return named === undefined || kinds.includes(named) ? undefined : named
}

function unsuitable(text: string, kind: FindableKind, kinds: readonly FindableKind[]): Problem {
  return {
    type: 'id-unusable',
    exitCode: EXIT.usage,
    message: `${safeLine(text, 40)} is ${withArticle(kind)}; this command takes ${kinds.map(withArticle).join(' or ')}`,
    next: `muster show ${safeLine(text, 40)}`,
  }
}

function withArticle(kind: FindableKind): string {
  return kind === 'approval' ? `an ${kind}` : `a ${kind}`
}

function mayBe(kind: FindableKind, text: string): boolean {
  return !text.includes('_') || text.startsWith(PREFIXES[kind])
}

function withPrefix(kind: FindableKind, text: string): string {
  return text.includes('_') ? text : `${PREFIXES[kind]}${text}`
}

type Ids = Result<readonly string[], ApiError>
type Identified = { readonly id: string }

async function idsOf(client: MusterClient, kind: FindableKind): Promise<Ids> {
  if (kind === 'job') return collectIds((cursor) => client.listJobs({ limit: PAGE, cursor }))
  if (kind === 'task') return collectIds((cursor) => client.listTasks({ limit: PAGE, cursor }))
  if (kind === 'session') return collectIds((cursor) => client.listSessions({ limit: PAGE, cursor }))
  if (kind === 'approval') {
    return collectIds((cursor) => client.listApprovals({ status: 'all', limit: PAGE, cursor }))
  }
  return landingIds(client)
}

async function collectIds(
  readPage: (cursor: string | undefined) => Promise<Result<Page<Identified>, ApiError>>,
): Promise<Ids> {
  const ids: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const read = await readPage(cursor)
    if (!read.ok) return read
    ids.push(...read.value.items.map((item) => item.id))
    cursor = read.value.nextCursor
    if (cursor === undefined) break
  }
  return success(ids)
}

/** Landings are listed by job only. */
async function landingIds(client: MusterClient): Promise<Ids> {
  const jobs = await collectIds((cursor) => client.listJobs({ limit: PAGE, cursor }))
  if (!jobs.ok) return jobs
  const ids: string[] = []
  for (const job of jobs.value.slice(0, PAGE)) {
    const landings = await collectIds((cursor) => client.listLandings({ job, limit: PAGE, cursor }))
    if (!landings.ok) return landings
    ids.push(...landings.value)
  }
  return success(ids)
}

function unknownId(text: string, kinds: readonly FindableKind[]): Problem {
  return {
    type: 'id-unknown',
    exitCode: EXIT.usage,
    message: `there is no ${kinds.join(' or ')} whose id begins with "${safeLine(text, 40)}"`,
    next: listCommandOf(kinds, text),
  }
}

/** Of what the text says that it is, else of what was asked for. */
function listCommandOf(kinds: readonly FindableKind[], text: string): string {
  const named = kinds.find((kind) => text.startsWith(PREFIXES[kind]))
  const kind = named ?? (kinds.includes('job') ? 'job' : kinds[0])
  return kind === 'approval' ? 'muster approvals --all' : `muster list ${kind}s`
}

function ambiguousId(text: string, found: readonly FoundId[]): Problem {
  const shown = found.slice(0, SHOWN_CANDIDATES).map(({ id }) => id)
  const more = found.length > shown.length ? [`and ${found.length - shown.length} more`] : []
  return {
    type: 'id-ambiguous',
    exitCode: EXIT.usage,
    message: `"${safeLine(text, 40)}" is the beginning of ${found.length} ids`,
    why: [...shown, ...more].join('\n'),
    next: 'give more of the id',
  }
}
