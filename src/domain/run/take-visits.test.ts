import { describe, expect, it } from 'vitest'
import { formatId, type RunId, type VisitId } from '../id.ts'
import type { Outcome } from '../playbook/outcome.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { Route } from '../playbook/route.ts'
import { findEntry, findResumeEntry } from './fork-point.ts'
import { nextRunStep } from './next-run-step.ts'
import type { Counters } from './route-visit.ts'
import type { RunState } from './run.ts'
import { takeVisits } from './take-visits.ts'
import type { Visit, VisitState } from './visit.ts'

const runId = formatId('run', 0, new Uint8Array()) as RunId
const to = (stage: string): Route => ({ type: 'always', to: { type: 'stage', stage } })
const end = (end: 'land' | 'partial' | 'failed'): Route => ({ type: 'always', to: { type: 'end', end } })

const role = (on: Readonly<Record<string, Route>>, format = 'change') =>
  ({
    type: 'role',
    role: 'developer',
    from: { type: 'work' },
    sees: [],
    output: { type: 'shipped', format },
    minutes: 1,
    on,
  }) as const

/** implement, check, and up to three revisions. */
const playbook = {
  start: 'implement',
  roles: {},
  stages: {
    implement: role({ done: to('check'), failed: end('failed') }),
    check: {
      type: 'checks',
      on: {
        pass: end('land'),
        fail: {
          type: 'limited',
          to: { type: 'stage', stage: 'revise' },
          max: 3,
          beyond: { type: 'end', end: 'partial' },
        },
      },
    },
    revise: role({ done: to('check'), failed: end('partial') }),
  },
} as unknown as Playbook

let made = 0
function visit(
  ordinal: number,
  stage: string,
  outcome: Outcome | VisitState,
  fields: Partial<Visit> = {},
): Visit {
  made += 1
  return {
    id: `vis_${made}` as VisitId,
    runId,
    ordinal,
    stage,
    round: 1,
    branch: 0,
    inputs: [],
    state: typeof outcome === 'string' ? { type: 'settled', outcome } : outcome,
    tries: 1,
    recoveries: {},
    replaced: [],
    troubles: [],
    version: 1,
    createdAt: new Date(0),
    ...fields,
  }
}

/** A run of random outcomes, with its counters at every step. */
function walk(outcomes: readonly Outcome[]) {
  const visits: Visit[] = []
  const countersAt: Counters[] = []
  let counters: Counters = {}
  for (const outcome of outcomes) {
    const run = { goal: '', inputs: {}, counters, state: { type: 'running' } as const, visits }
    const step = nextRunStep(playbook, run, (ids) => ids)
    if (step.type === 'wait' || step.end !== undefined) break
    counters = step.counters
    countersAt.push(counters)
    for (const draft of step.drafts) {
      visits.push(visit(draft.ordinal, draft.stage, draft.stage === 'check' ? outcome : 'done', draft))
    }
  }
  return { visits, countersAt }
}

describe('takeVisits', () => {
  it('takes everything before a visit, and makes the run go on exactly as it did', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const outcomes = Array.from({ length: 9 }, (_, index) => ((seed >> index) & 1 ? 'fail' : 'pass'))
      const { visits, countersAt } = walk(outcomes)
      const before = structuredClone(visits)
      for (const { ordinal, stage } of visits) {
        const past = takeVisits(playbook, visits, { ordinal })
        expect(past.taken).toEqual(visits.slice(0, ordinal - 1))
        const run = { goal: '', inputs: {}, counters: past.counters, state: { type: 'running' } as const }
        const step = nextRunStep(playbook, { ...run, visits: past.taken }, (ids) => ids)
        expect(step).toMatchObject({ drafts: [{ ordinal, stage }], counters: countersAt[ordinal - 1] })
      }
      expect(visits).toEqual(before)
    }
  })

  it('keeps the branches that succeeded, if asked to, and leaves the others open', () => {
    const visits = [
      visit(1, 'implement', 'done', { branch: 1 }),
      visit(1, 'implement', 'failed', { branch: 2 }),
      visit(1, 'implement', { type: 'cancelled' }, { branch: 3 }),
    ]
    const past = takeVisits(playbook, visits, { ordinal: 1, keepsBranches: true })
    expect(past.taken.map(({ branch }) => branch)).toEqual([1])
    expect(past.open.map(({ branch }) => branch)).toEqual([2, 3])
    expect(takeVisits(playbook, visits, { ordinal: 1 })).toEqual({ taken: [], open: [], counters: {} })
  })
})

describe('findEntry', () => {
  const visits = [
    visit(1, 'implement', 'done'),
    visit(2, 'check', 'fail'),
    visit(3, 'revise', 'done'),
    visit(4, 'check', 'pass'),
  ]

  it('finds a visit by its number, or the latest of a stage', () => {
    expect(findEntry(visits, '2')).toEqual({ ok: true, value: 2 })
    expect(findEntry(visits, 'check')).toEqual({ ok: true, value: 4 })
  })

  it('explains what there is instead', () => {
    expect(findEntry(visits, '9')).toEqual({
      ok: false,
      failure: 'the run has no visit 9; its visits are 1 to 4',
    })
    expect(findEntry(visits, 'chek')).toEqual({
      ok: false,
      failure: 'the run has not been in a stage "chek"; did you mean "check"?',
    })
  })
})

describe('findResumeEntry', () => {
  const done = visit(1, 'implement', 'done')
  const entryOf = (state: RunState, last: Visit) => findResumeEntry({ state }, [done, last])

  it('continues where a run was cancelled, or where an agent was lost', () => {
    const cancelled = visit(2, 'check', { type: 'cancelled' })
    expect(entryOf({ type: 'cancelled', reason: 'stop' }, cancelled)).toEqual({ ok: true, value: 2 })
    const lost = visit(2, 'revise', 'failed')
    expect(entryOf({ type: 'ended', end: 'partial' }, lost)).toEqual({ ok: true, value: 2 })
  })

  it('refuses a run that has nothing left to do, or that would only end in the same way', () => {
    const passed = visit(2, 'check', 'pass')
    expect(entryOf({ type: 'ended', end: 'land' }, passed)).toEqual({ ok: false, failure: 'complete' })
    const failed = visit(2, 'check', 'fail')
    expect(entryOf({ type: 'ended', end: 'partial' }, failed)).toEqual({ ok: false, failure: 'decided' })
  })
})
