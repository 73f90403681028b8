import { closestWord } from '../../domain/closest-word.ts'
import { EXIT } from '../exit-code.ts'
import type { ListKind } from '../parse/list-kind.ts'
import type { Problem } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'

export const JOB_STATUSES = ['pending', 'running', 'paused', 'completed', 'cancelled', 'error'] as const
const LANDING_STATUSES = ['queued', 'checking', 'landed', 'conflicted', 'rejected'] as const

const FILTERS = ['job', 'user', 'status', 'agent', 'role', 'resumable', 'askable', 'all'] as const
type Filter = (typeof FILTERS)[number]

/** The filters that each list supports. */
const FILTERS_OF = {
  jobs: ['user', 'status'],
  tasks: ['job'],
  landings: ['job', 'status'],
  sessions: ['job', 'agent', 'role', 'resumable', 'askable', 'all'],
  agents: [],
  projects: [],
  runs: ['job'],
  playbooks: [],
} as const satisfies Record<ListKind, readonly Filter[]>

type Given = Partial<Record<Filter, string | true>>

/** Refuses a filter that the list would ignore, and a status that doesn't exist. */
export function listProblem(what: ListKind, given: Given): Problem | undefined {
  const taken: readonly Filter[] = FILTERS_OF[what]
  const odd = FILTERS.find((filter) => given[filter] !== undefined && !taken.includes(filter))
  if (odd !== undefined) {
    const others = taken.length === 0 ? 'it has no filters' : `use ${taken.map(asFlag).join(', ')}`
    return refusal(what, `the list of ${what} cannot be filtered by ${asFlag(odd)}; ${others}`)
  }
  const { status } = given
  const statuses: readonly string[] = what === 'jobs' ? JOB_STATUSES : LANDING_STATUSES
  if (typeof status !== 'string' || statuses.includes(status)) return undefined
  const meant = closestWord(status, statuses)
  const advice = meant === undefined ? `use ${statuses.join(', ')}` : `did you mean ${meant}?`
  return refusal(what, `"${safeLine(status, 40)}" is not a status of ${what}; ${advice}`)
}

function asFlag(filter: Filter): string {
  return `--${filter}`
}

function refusal(what: ListKind, message: string): Problem {
  return { type: 'bad-arguments', exitCode: EXIT.usage, message, next: `muster list ${what}` }
}
