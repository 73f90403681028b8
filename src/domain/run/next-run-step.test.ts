import path from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleVisit } from '../../../test/support/example-records.ts'
import { createFolderPlaybooks } from '../../adapters/playbooks/folder/folder-playbooks.ts'
import { SHIPPED } from '../../adapters/playbooks/folder/testing/broken-playbook.ts'
import { hasFormat } from '../playbook/has-format.ts'
import { branchOutcomesOf } from '../playbook/outcomes-of.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { RunEnd } from '../playbook/route.ts'
import { visitBound } from '../playbook/visit-bound.ts'
import { nextRunStep, type RunStep } from './next-run-step.ts'
import type { Counters } from './route-visit.ts'
import type { RunInputs } from './run.ts'
import { bestWork, candidatesIn, newestWork } from './run-work.ts'
import { isVisitOpen, outcomeOf, type Visit } from './visit.ts'

const NAMES = ['architecture', 'best-of', 'development', 'research', 'review', 'reviewed', 'solo', 'tdd']
const playbooks = new Map<string, Playbook>()

beforeAll(async () => {
  const source = createFolderPlaybooks({ shipped: SHIPPED })
  for (const name of NAMES) {
    const folder = await source.read(path.join(SHIPPED, name))
    if (folder.ok) playbooks.set(name, folder.value.playbook)
  }
})

/** Plays a run by its rows: whoever holds an instance decides how each open visit ends. */
class Play {
  visits: Visit[] = []
  counters: Counters = {}
  exhausted: readonly string[] = []
  end: RunEnd | undefined
  playbook: Playbook
  readonly inputs: RunInputs

  constructor(name: string, inputs: RunInputs = {}) {
    const playbook = playbooks.get(name)
    if (playbook === undefined) throw new Error(`there is no playbook ${name}`)
    this.playbook = playbook
    const defaults = Object.entries(playbook.inputs).flatMap(([key, input]) =>
      input.default === undefined ? [] : [[key, input.default] as const],
    )
    this.inputs = { ...Object.fromEntries(defaults), ...inputs }
    this.advance()
  }

  step(): RunStep {
    const state =
      this.end === undefined ? ({ type: 'running' } as const) : ({ type: 'ended', end: this.end } as const)
    const { inputs, counters, visits } = this
    return nextRunStep(this.playbook, { goal: 'g', inputs, counters, state, visits }, (ids) =>
      ids.toReversed(),
    )
  }

  advance(): void {
    const step = this.step()
    if (step.type === 'wait') return
    this.counters = step.counters
    this.exhausted = [...this.exhausted, ...step.exhausted]
    this.end = step.end
    for (const { outcome, ...draft } of step.drafts) {
      const state =
        outcome === undefined ? { type: 'waiting' as const } : { type: 'settled' as const, outcome }
      this.visits.push(exampleVisit({ ...draft, state }))
    }
  }

  get open(): readonly Visit[] {
    return this.visits.filter(isVisitOpen)
  }

  /** Ends the first open visit of a stage. */
  settle(stage: string, outcome: string, result: Pick<Visit, 'commit' | 'answer'> = {}): void {
    const visit = this.open.find((one) => one.stage === stage)
    if (visit === undefined)
      throw new Error(`${stage} is not open: ${this.open.map((one) => one.stage).join(', ')}`)
    this.settleVisit(visit, outcome, result)
  }

  settleVisit({ id }: Visit, outcome: string, result: Pick<Visit, 'commit' | 'answer'> = {}): void {
    this.visits = this.visits.map((visit) =>
      visit.id === id && isVisitOpen(visit)
        ? { ...visit, ...result, state: { type: 'settled', outcome } }
        : visit,
    )
    this.advance()
  }

  /** The stages in the order in which the run entered them. */
  get way(): readonly string[] {
    return this.visits.map(({ stage, branch }) => (branch === 0 ? stage : `${stage}#${branch}`))
  }
}

function answerOf(
  { playbook, visits }: Play,
  { stage: name, inputs }: Visit,
  pick: number,
): Pick<Visit, 'commit' | 'answer'> {
  const stage = playbook.stages[name]
  const [judged] = inputs.flatMap((id) => visits.filter((visit) => visit.id === id))
  if (stage?.type !== 'role') {
    const answer = { passed: pick % 3, output: '', changedLines: pick }
    return judged?.commit === undefined ? { answer } : { answer, commit: judged.commit }
  }
  if (hasFormat(stage.output, 'change')) return { commit: `c${pick}` }
  if (hasFormat(stage.output, 'choice')) {
    return { answer: { choice: (pick % candidatesIn(inputs, visits).length) + 1 } }
  }
  if (hasFormat(stage.output, 'questions'))
    return { answer: { questions: ['a', 'b', 'c'].slice(0, pick % 4) } }
  return { answer: { needsDesign: pick % 2 === 0 } }
}

describe('a run', () => {
  it('goes from stage to stage by the outcomes, and counts what may only be repeated', () => {
    const play = new Play('reviewed')
    play.settle('implement', 'done', { commit: 'c1' })
    play.settle('check', 'pass')
    play.settle('review', 'NEEDS_REVISION')
    play.settle('revise', 'done', { commit: 'c2' })
    play.settle('check', 'fail')
    expect(play.counters).toEqual({ 'review.NEEDS_REVISION': 1, 'check.fail': 1 })
    play.settle('revise', 'done', { commit: 'c3' })
    play.settle('check', 'pass')
    play.settle('review', 'APPROVED')
    expect(play.end).toBe('land')
    expect(newestWork(play.playbook, play.visits)).toMatchObject({
      commit: 'c3',
      by: { stage: 'revise', round: 2 },
    })
    expect(play.way).toEqual(['implement', 'check', 'review', 'revise', 'check', 'revise', 'check', 'review'])
  })

  it('takes the other way once a limit is reached, and names the limit', () => {
    const play = new Play('reviewed')
    play.settle('implement', 'done', { commit: 'c0' })
    for (let round = 1; round <= 2; round += 1) {
      play.settle('check', 'fail')
      play.settle('revise', 'done', { commit: `c${round}` })
    }
    play.settle('check', 'fail')
    expect(play).toMatchObject({ end: 'partial', exhausted: ['check.fail'] })
    expect(bestWork(play.playbook, play.visits)?.commit).toBe('c2')
  })

  it('passes choices and gates that need nobody in one step', () => {
    const play = new Play('development', { design: 'never' })
    play.settle('criteria', 'done', { answer: { needsDesign: true } })
    expect(play.way).toEqual(['criteria', 'route', 'implementation'])
    expect(play.visits[1]).toMatchObject({ state: { type: 'settled', outcome: 'else' } })
    const gated = new Play('development', { design: 'auto', gate: 'design' })
    gated.settle('criteria', 'done', { answer: { needsDesign: true } })
    gated.settle('architecture', 'done', { answer: {} })
    gated.settle('design_review', 'APPROVED', { answer: {} })
    expect(gated.open.map(({ stage }) => stage)).toEqual(['design_gate'])
    gated.settle('design_gate', 'denied')
    expect(gated.open.map(({ stage }) => stage)).toEqual(['design_revision'])
  })

  it('waits for all branches, checks each that made something, and lands what the judge chose', () => {
    const play = new Play('best-of')
    expect(play.way).toEqual(['try#1', 'try#2', 'try#3'])
    play.settle('try', 'done', { commit: 'one' })
    play.settle('try', 'failed')
    expect(play.open).toHaveLength(1)
    play.settle('try', 'done', { commit: 'three' })
    expect(play.way.slice(3)).toEqual(['verify#1', 'verify#2'])
    for (const commit of ['one', 'three']) play.settle('verify', 'pass', { commit })
    expect(newestWork(play.playbook, play.visits)).toBeUndefined()
    // It sees them in the other order.
    play.settle('pick', 'done', { answer: { choice: 1 } })
    expect(play.end).toBe('land')
    expect(newestWork(play.playbook, play.visits)).toMatchObject({
      commit: 'three',
      by: { stage: 'try', branch: 3 },
    })
  })

  it('lands the only one that passed without a judge, and mends the best if none did', () => {
    const one = new Play('best-of', { n: 2 })
    for (const commit of ['a', 'b']) one.settle('try', 'done', { commit })
    one.settle('verify', 'fail', { commit: 'a' })
    one.settle('verify', 'pass', { commit: 'b' })
    expect(one.end).toBe('land')
    expect(newestWork(one.playbook, one.visits)?.commit).toBe('b')
    const none = new Play('best-of', { n: 2 })
    for (const commit of ['a', 'b']) none.settle('try', 'done', { commit })
    none.settle('verify', 'fail', { commit: 'a', answer: { passed: 0, output: '', changedLines: 1 } })
    none.settle('verify', 'fail', { commit: 'b', answer: { passed: 1, output: '', changedLines: 9 } })
    expect(none.open.map(({ stage }) => stage)).toEqual(['mend'])
    expect(bestWork(none.playbook, none.visits)).toMatchObject({ commit: 'b', by: { branch: 2 } })
  })

  it('has one branch for each entry of a list, and goes on if the list is empty', () => {
    const play = new Play('research')
    play.settle('questions', 'done', { answer: { questions: ['why?', 'how?'] } })
    expect(play.open.map(({ item }) => item)).toEqual(['why?', 'how?'])
    const empty = new Play('research')
    empty.settle('questions', 'done', { answer: { questions: [] } })
    expect(empty.end).toBe('failed')
  })

  it('takes the verdicts of several reviewers as results', () => {
    const play = new Play('review')
    const [reviews] = Object.values(play.playbook.stages)
    if (reviews?.type !== 'role') throw new Error('there are no reviews')
    const output = { type: 'shipped', format: 'review' } as const
    play.playbook = {
      ...play.playbook,
      stages: { ...play.playbook.stages, reviews: { ...reviews, output } },
    }
    for (const outcome of ['REJECTED', 'failed', 'APPROVED']) play.settle('reviews', outcome)
    expect(play.open.map(({ stage }) => stage)).toEqual(['merge'])
  })

  it('ends within its bound, whatever the outcomes and however often they come', () => {
    const gates = fc.constantFrom<RunInputs>(
      {},
      { design: 'always', gate: 'design' },
      { gate: 'result' },
      { gate: 'yes', n: 5, options: 2 },
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...NAMES),
        gates,
        fc.infiniteStream(fc.nat(1_000)),
        (name, inputs, picks) => {
          const play = new Play(name, inputs)
          playOn(play, () => picks.next().value ?? 0)
          expect(play.open).toEqual([])
          expect(play.step()).toEqual({ type: 'wait' })
          const by = newestWork(play.playbook, play.visits)?.by
          if (play.end === 'land') expect(by && outcomeOf(by)).toBe('done')
        },
      ),
      { numRuns: 10_000 },
    )
  })
})

/** Ends visits in any order until the run ends. What comes twice or too late must change nothing. */
function playOn(play: Play, pick: () => number): void {
  const bound = visitBound(play.playbook)
  const settled: Visit[] = []
  while (play.end === undefined) {
    const visit = play.open[pick() % play.open.length]
    if (visit === undefined) throw new Error(`nothing is open after ${play.way.join(', ')}`)
    const before = play.counters
    const stage = play.playbook.stages[visit.stage]
    const outcomes = stage === undefined ? [] : branchOutcomesOf(stage)
    play.settleVisit(visit, outcomes[pick() % outcomes.length] ?? '', answerOf(play, visit, pick()))
    settled.push(visit)
    const rows = JSON.stringify([play.visits, play.counters, play.end])
    play.settleVisit(settled[pick() % settled.length] ?? visit, outcomes[pick() % outcomes.length] ?? '')
    expect(JSON.stringify([play.visits, play.counters, play.end])).toBe(rows)
    for (const [route, taken] of Object.entries(before)) {
      expect(play.counters[route]).toBeGreaterThanOrEqual(taken)
    }
    expect(play.visits.length).toBeLessThanOrEqual(bound)
  }
}
