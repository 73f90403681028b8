import type { LandingState } from '../landing/landing.ts'
import type { RunEnd } from '../playbook/route.ts'
import type { Run } from './run.ts'
import { isVisitOpen, type Visit } from './visit.ts'

type Described = {
  readonly run: Pick<Run, 'playbook' | 'state'>
  readonly visits: readonly Visit[]
  /** What it has made, in the words of who made it. */
  readonly made?: string | undefined
  readonly landing?: LandingState
}

/** What became of a run, and what it made, in one or two sentences. */
export function describeRun({ run, visits, made = '', landing }: Described): string {
  const { state, playbook } = run
  const hasFailed = state.type === 'ended' && state.end === 'failed'
  return [
    `The run of ${playbook.name} ${stateWords(state, visits, landing)}.`,
    sentence(hasFailed ? '' : made),
  ]
    .filter((part) => part !== '')
    .join(' ')
}

function stateWords(
  state: Run['state'],
  visits: readonly Visit[],
  landing: LandingState | undefined,
): string {
  switch (state.type) {
    case 'running': {
      const open = [...new Set(visits.filter(isVisitOpen).map(({ stage }) => stage))]
      return open.length === 0 ? 'is starting' : `is at ${open.join(', ')}`
    }
    case 'asking':
      return `waits for a person to decide about its result, which is ${state.end}: ${unstopped(state.reason)}`
    case 'ended':
      return endWords(state.end, landing) + reasonWords(state.reason)
    case 'cancelled':
      return `was cancelled${reasonWords(state.reason)}`
  }
}

function endWords(end: RunEnd, landing: LandingState | undefined): string {
  if (end === 'failed') return 'failed'
  if (end === 'done') return 'is complete'
  const result = end === 'land' ? 'is complete' : `ended as ${end}`
  return `${result}, and its work ${landingWords(landing)}`
}

function landingWords(landing: LandingState | undefined): string {
  switch (landing?.type) {
    case undefined:
      return 'did not land'
    case 'landed':
      return `landed as ${landing.commit.slice(0, 12)}`
    case 'queued':
    case 'checking':
      return 'is in the merge queue'
    case 'conflicted':
      return 'did not land, because it conflicts with other work'
    case 'rejected':
      return `did not land: ${unstopped(landing.reason.split('\n', 1)[0] ?? '')}`
  }
}

function reasonWords(reason = ''): string {
  return reason === '' ? '' : `: ${unstopped(reason)}`
}

function unstopped(text: string): string {
  return text.trim().replace(/[.\s]+$/, '')
}

function sentence(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  return line === '' || /[.!?…]$/.test(line) ? line : `${line}.`
}
