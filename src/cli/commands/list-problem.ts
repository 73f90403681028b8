import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'

export type ListKind = 'jobs' | 'tasks' | 'landings' | 'sessions' | 'agents' | 'projects'

export const JOB_STATUSES = ['pending', 'running', 'paused', 'completed', 'cancelled', 'error'] as const
const LANDING_STATUSES = ['queued', 'checking', 'landed', 'conflicted', 'rejected'] as const

const FILTERS = ['job', 'user', 'status', 'agent', 'role', 'resumable'] as const
type Filter = (typeof FILTERS)[number]

/** What each table can be narrowed by. */
const FILTERS_OF = {
  jobs: ['user', 'status'],
  tasks: ['job'],
  landings: ['job', 'status'],
  sessions: ['job', 'agent', 'role', 'resumable'],
  agents: [],
  projects: [],
} as const satisfies Record<ListKind, readonly Filter[]>

type Given = Partial<Record<Filter, string | true>>

/** A flag that a table would leave out of account makes a promise that is not kept: it is refused. */
export function listProblem(what: ListKind, given: Given): Problem | undefined {
  const taken: readonly Filter[] = FILTERS_OF[what]
  const odd = FILTERS.find((filter) => given[filter] !== undefined && !taken.includes(filter))
  if (odd !== undefined) {
    const others = taken.length === 0 ? 'it takes none' : `it takes ${taken.map(asFlag).join(', ')}`
    return refusal(what, `the list of ${what} cannot be narrowed by ${asFlag(odd)}; ${others}`)
  }
  const { status } = given
  const statuses: readonly string[] = what === 'jobs' ? JOB_STATUSES : LANDING_STATUSES
  if (typeof status !== 'string' || statuses.includes(status)) return undefined
  return refusal(what, `no status of ${what} is "${safeLine(status, 40)}"; they are ${statuses.join(', ')}`)
}

function asFlag(filter: Filter): string {
  return `--${filter}`
}

function refusal(what: ListKind, message: string): Problem {
  return { type: 'bad-arguments', exitCode: EXIT.usage, message, next: `muster list ${what}` }
}
