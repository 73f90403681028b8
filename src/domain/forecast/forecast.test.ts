import { beforeAll, describe, expect, it } from 'vitest'
import { playbooks, readShipped } from '../../../test/support/run-play.ts'
import type { Outcome } from '../playbook/outcome.ts'
import type { Playbook } from '../playbook/playbook.ts'
import { visitBound } from '../playbook/visit-bound.ts'
import type { RunInputs } from '../run/run.ts'
import { forecast } from './forecast.ts'
import type { PastEffort, PastEntries, RunHistory } from './run-history.ts'

beforeAll(readShipped)

const MINUTE = 60_000
const NOTHING: RunHistory = { runs: [], entries: [], efforts: [], checks: { visits: 0, durationMs: 0 } }

const entry = (playbook: string, stage: string, outcomes: string, count: number): PastEntries => ({
  ...{ playbook, stage, count },
  outcomes: outcomes.split(' ') as Outcome[],
})

/** One visit of a minute for a dollar. */
const effort = (role: string, fields: Partial<PastEffort> = {}): PastEffort => ({
  ...{ role, admittedAs: 'worker', agent: 'ada', visits: 1, durationMs: MINUTE },
  ...{ pricedVisits: 1, costUsd: 1, ...fields },
})

const HISTORY: RunHistory = {
  runs: [{ playbook: 'reviewed', count: 2 }],
  entries: [
    entry('reviewed', 'implement', 'done', 2),
    entry('reviewed', 'check', 'pass', 3),
    entry('reviewed', 'review', 'APPROVED', 1),
    entry('reviewed', 'review', 'NEEDS_REVISION', 1),
    entry('reviewed', 'revise', 'done', 1),
    entry('solo', 'check', 'fail', 9),
  ],
  efforts: [
    effort('developer', { visits: 3, durationMs: 9 * MINUTE, pricedVisits: 2, costUsd: 4 }),
    effort('reviewer'),
  ],
  checks: { visits: 4, durationMs: 2 * MINUTE },
}

const find = (name: string) => playbooks.get(name)

function of(name: string, history: RunHistory, inputs: RunInputs = {}, changed: Partial<Playbook> = {}) {
  const playbook = playbooks.get(name)
  if (playbook === undefined) throw new Error(`there is no playbook ${name}`)
  return forecast({ ...playbook, ...changed }, { history, inputs, find })
}

describe('forecast', () => {
  it('takes the outcomes of earlier runs of the playbook, and the means of their roles', () => {
    const { runs, least, likely, most, ends, roles } = of('reviewed', HISTORY)
    expect(runs).toBe(2)
    expect(roles[0]).toMatchObject({ role: 'developer', visits: 3, costUsd: 2, durationMs: 3 * MINUTE })
    // A developer, checks and a reviewer.
    expect(least).toEqual({ visits: 3, costUsd: 3, durationMs: 4.5 * MINUTE })
    // Half of the reviews ask for changes, up to three times: 1 + 1/2 + 1/4 + 1/8 rounds.
    expect(likely).toEqual({ visits: 3 * 1.875, costUsd: 3 * 1.875, durationMs: 4.5 * 1.875 * MINUTE })
    expect(most.visits).toBe(visitBound(playbooks.get('reviewed') as Playbook))
    expect(ends).toEqual([
      { end: 'land', share: 0.9375 },
      { end: 'partial', share: 0.0625 },
    ])
  })

  it('leaves out what has no history instead of inventing it', () => {
    const none = of('reviewed', NOTHING)
    expect(none.likely).toEqual({ visits: 3 })
    expect(none.stages.map(({ from, outcomes }) => [from, outcomes[0]?.outcome])).toEqual([
      ['assumption', 'done'],
      ['assumption', 'pass'],
      ['assumption', 'APPROVED'],
      ['assumption', 'done'],
    ])
    const efforts = [effort('developer', { pricedVisits: 0, costUsd: 0 })]
    const { likely, roles } = of('reviewed', { ...NOTHING, efforts })
    expect(likely).toEqual({ visits: 3, durationMs: MINUTE })
    expect(roles.map(({ from }) => from)).toEqual(['role', 'nothing'])
  })

  it('takes visits of agents that can take a role if no earlier run had the role', () => {
    const { roles } = of('best-of', { ...NOTHING, efforts: [effort('developer')] })
    expect(roles).toMatchObject([
      { role: 'candidate', from: 'agents', costUsd: 1 },
      { role: 'judge', from: 'nothing' },
    ])
  })

  it('counts the branches that the inputs ask for, as many at once as the playbook allows', () => {
    const history = { ...HISTORY, efforts: [effort('candidate'), effort('judge')] }
    const { least, most, stages } = of('best-of', history, { n: 6 })
    // Six tries, three at once, and the check of the only one that is left.
    expect(least).toEqual({ visits: 7, costUsd: 6, durationMs: 2.5 * MINUTE })
    expect(most.visits).toBe(6 + 6 + 2)
    expect(stages.find(({ stage }) => stage === 'verify')?.outcomes).toEqual([{ outcome: 'some', share: 1 }])
  })

  it('reads the outcome of a stage that fanned out from its branches', () => {
    const entries = [
      entry('best-of', 'verify', 'fail pass', 3),
      entry('best-of', 'verify', 'pass pass', 1),
      entry('best-of', 'try', 'done done', 4),
    ]
    const { stages, likely } = of('best-of', { ...NOTHING, entries }, { n: 3 })
    expect(stages.find(({ stage }) => stage === 'verify')?.outcomes).toEqual([
      { outcome: 'some', share: 0.25 },
      { outcome: 'one', share: 0.75 },
    ])
    expect(likely.visits).toBe(3 + 3 + 0.25)
  })

  it('scales what earlier runs did to the branches that the inputs ask for', () => {
    const entries = [
      entry('best-of', 'try', 'done done done', 1),
      entry('best-of', 'verify', 'pass pass pass', 1),
      entry('best-of', 'judge', 'chosen', 1),
    ]
    const efforts = [effort('candidate', { visits: 3, pricedVisits: 3, costUsd: 3 }), effort('judge')]
    const { least, likely, most } = of('best-of', { ...NOTHING, entries, efforts }, { n: 5 })
    expect(likely).toMatchObject({ visits: 5 + 5 + 1, costUsd: 6 })
    expect(least.visits).toBeLessThan(likely.visits)
    expect(likely.visits).toBeLessThanOrEqual(most.visits)
  })

  it('is never below what a finished run takes, even if all earlier runs failed early', () => {
    const entries = [entry('reviewed', 'implement', 'failed', 5)]
    const { least, likely } = of('reviewed', { ...HISTORY, entries })
    expect(likely).toEqual(least)
  })

  it('leaves out the ways that the inputs rule out', () => {
    const never = of('development', NOTHING, { design: 'never', gate: 'none' })
    expect(never.stages.map(({ stage }) => stage)).not.toContain('architecture')
    expect(never.stages.find(({ stage }) => stage === 'result_gate')?.outcomes).toEqual([
      { outcome: 'skipped', share: 1 },
    ])
    // An architect that fails leads on without a design.
    const always = of('development', NOTHING, { design: 'always', gate: 'none' })
    expect(always.least.visits).toBe(never.least.visits + 1)
    expect(always.most.visits).toBeGreaterThan(never.most.visits)
  })

  it('stays within the limits of the playbook', () => {
    const limits = { minutes: 10, usd: 2, parallel: 1 }
    expect(of('reviewed', HISTORY, {}, { limits }).most).toMatchObject({
      costUsd: 2,
      durationMs: 10 * MINUTE,
    })
  })

  it('adds what a playbook that a stage follows takes', () => {
    const stages: Playbook['stages'] = {
      build: {
        type: 'playbook',
        playbook: 'reviewed',
        inputs: {},
        on: {
          complete: { type: 'always', to: { type: 'end', end: 'land' } },
          partial: { type: 'always', to: { type: 'end', end: 'partial' } },
          failed: { type: 'always', to: { type: 'end', end: 'failed' } },
        },
      },
    }
    const outer = of('solo', HISTORY, {}, { name: 'outer', start: 'build', stages })
    expect(outer.least).toEqual({ visits: 4, costUsd: 3, durationMs: 4.5 * MINUTE })
    expect(outer.roles.map(({ playbook, role }) => `${playbook} ${role}`)).toEqual([
      'reviewed developer',
      'reviewed reviewer',
    ])
  })

  it('ends for every shipped playbook, however its runs went, and never exceeds the bound', () => {
    for (const [name, playbook] of playbooks) {
      const entries = Object.entries(playbook.stages).flatMap(([stage, { type, ...fields }]) =>
        type === 'choose' || !('on' in fields)
          ? []
          : Object.keys(fields.on).map((outcome) => entry(name, stage, outcome, 1)),
      )
      const { likely, most, ends } = of(name, { ...NOTHING, entries })
      expect(likely.visits).toBeLessThanOrEqual(most.visits)
      expect(ends.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 1)
    }
  })
})
