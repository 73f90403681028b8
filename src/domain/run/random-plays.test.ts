import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { Play, playbooks, readShipped, SHIPPED_NAMES } from '../../../test/support/run-play.ts'
import { hasFormat } from '../playbook/has-format.ts'
import type { Outcome } from '../playbook/outcome.ts'
import { branchOutcomesOf } from '../playbook/outcomes-of.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { Target } from '../playbook/route.ts'
import type { ChildStage } from '../playbook/stage.ts'
import { visitBound } from '../playbook/visit-bound.ts'
import { newestOrdinal } from './entries.ts'
import type { RunInputs } from './run.ts'
import { bestWork, candidatesIn, newestWork } from './run-work.ts'
import { isVisitOpen, outcomeOf, type Visit } from './visit.ts'

const end = (name: 'land' | 'partial' | 'failed'): Target => ({ type: 'end', end: name })
const to = (stage: string): Target => ({ type: 'stage', stage })

/** Follows another playbook, and does it up to twice again if the result is only partial. */
function following(stage: string, playbook: string, complete: Target): ChildStage {
  return {
    type: 'playbook',
    playbook,
    inputs: {},
    on: {
      complete: { type: 'always', to: complete },
      partial: { type: 'limited', to: to(stage), max: 2, beyond: end('partial') },
      failed: { type: 'always', to: end('failed') },
    },
  }
}

/** `nested` follows two playbooks of Muster, and `deeper` follows `nested`. */
beforeAll(async () => {
  await readShipped()
  const solo = playbooks.get('solo')
  if (solo === undefined) throw new Error('there is no playbook solo')
  const add = (name: string, start: string, stages: Playbook['stages']) =>
    playbooks.set(name, { ...solo, name, roles: {}, start, stages })
  add('nested', 'study', {
    study: following('study', 'research', to('build')),
    build: following('build', 'reviewed', end('land')),
  })
  add('deeper', 'outline', {
    outline: following('outline', 'best-of', to('inside')),
    inside: following('inside', 'nested', end('land')),
  })
})

const NAMES = [...SHIPPED_NAMES, 'nested', 'deeper']
const INPUTS = fc.constantFrom<RunInputs>(
  {},
  { design: 'always', gate: 'design' },
  { gate: 'result' },
  { gate: 'yes', n: 5, options: 2 },
)
/** How a run may be interrupted, and after how many outcomes. */
const INTERRUPTION = fc.option(
  fc.record({ kind: fc.constantFrom('stop' as const, 'cancel' as const), after: fc.nat(30) }),
)

type Pick = () => number
type Interruption = { readonly kind: 'stop' | 'cancel'; readonly after: number } | null

function answerOf({ playbook, visits }: Play, { stage: name, inputs }: Visit, pick: number) {
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

function outcomeFor({ playbook }: Play, visit: Visit, pick: number): Outcome {
  const stage = playbook.stages[visit.stage]
  const outcomes = stage === undefined ? [] : branchOutcomesOf(stage)
  return outcomes[pick % outcomes.length] ?? 'failed'
}

/** Ends a visit somewhere in the run. The runs around it go on. */
function settle(whole: Play, { play, visit }: Play['leaves'][number], pick: Pick): void {
  play.settleVisit(visit, outcomeFor(play, visit, pick()), answerOf(play, visit, pick()))
  whole.advance()
  for (const child of within(whole).toReversed()) child.advance()
  whole.advance()
}

function within(play: Play): readonly Play[] {
  return [...play.children.values()].flatMap((child) => [child, ...within(child)])
}

function interrupt(whole: Play, kind: 'stop' | 'cancel'): void {
  whole[kind]()
  const hasWork = bestWork(whole.playbook, whole.visits) !== undefined
  if (kind === 'stop') expect(whole.end).toBe(hasWork ? 'partial' : 'failed')
}

/** Ends visits in any order until the run ends. What comes twice or too late must change nothing. */
function playOn(whole: Play, interruption: Interruption, pick: Pick): void {
  const bound = visitBound(whole.playbook, (name) => playbooks.get(name))
  const settled: Play['leaves'][number][] = []
  while (whole.state.type === 'running') {
    const counters = [whole, ...within(whole)].map((play) => [play, play.counters] as const)
    const leaf = whole.leaves[pick() % whole.leaves.length]
    if (leaf === undefined) throw new Error(`nothing is open after ${whole.way.join(', ')}`)
    if (interruption?.after === settled.length) interrupt(whole, interruption.kind)
    else settle(whole, leaf, pick)
    settled.push(leaf)
    const { rows } = whole
    const late = settled[pick() % settled.length] ?? leaf
    const isOver = !late.play.visits.some(({ id, ...visit }) => id === late.visit.id && isVisitOpen(visit))
    if (isOver) settle(whole, late, pick)
    expect(whole.rows).toBe(rows)
    for (const [play, before] of counters) expectCounted(play, before)
    expect(whole.visitCount).toBeLessThanOrEqual(bound)
  }
}

/** Counters never go back, and never beyond their routes' limits. */
function expectCounted({ playbook, counters }: Play, before: Play['counters']): void {
  for (const [route, taken] of Object.entries(before)) {
    expect(counters[route]).toBeGreaterThanOrEqual(taken)
  }
  for (const [route, taken] of Object.entries(counters)) {
    expect(taken).toBeLessThanOrEqual(mostOf(playbook, route))
  }
}

/** How often a limited route, such as `review.NEEDS_REVISION`, may be taken. */
function mostOf({ stages }: Playbook, name: string): number {
  const [stage = '', outcome = ''] = name.split('.')
  const entered = stages[stage]
  const route = entered !== undefined && 'on' in entered ? entered.on[outcome] : undefined
  return route?.type === 'limited' ? route.max : 0
}

/** Continues an ended run from one of its visits, in a run of its own. The old run must stay as it is. */
function fork(old: Play, pick: Pick): void {
  const { rows } = old
  const ordinal = (pick() % Math.max(1, newestOrdinal(old.visits))) + 1
  const forked = old.fork(ordinal)
  playOn(forked, null, pick)
  expectEnded(forked)
  const taken = ({ visits }: Play) => JSON.stringify(visits.slice(0, forked.takenCount))
  expect(taken(forked)).toBe(taken(old))
  expect(old.rows).toBe(rows)
}

function expectEnded(play: Play): void {
  const { rows } = play
  play.stop()
  play.cancel()
  play.advance()
  expect(play.rows).toBe(rows)
  for (const one of [play, ...within(play)]) {
    expect(one.open).toEqual([])
    expect(one.step()).toEqual({ type: 'wait' })
    expect(one.state.type === 'ended' || one.state.type === 'cancelled').toBe(true)
  }
  const by = newestWork(play.playbook, play.visits)?.by
  if (play.end === 'land') expect(by && outcomeOf(by)).toMatch(/^(done|complete|partial)$/)
}

it('ends every run and its forks within their bounds, whatever the outcomes, however often they come, and whatever interrupts it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...NAMES),
      INPUTS,
      INTERRUPTION,
      fc.infiniteStream(fc.nat(1_000)),
      (name, inputs, interruption, picks) => {
        const play = new Play(name, inputs)
        const pick = () => picks.next().value ?? 0
        playOn(play, interruption, pick)
        expectEnded(play)
        fork(play, pick)
      },
    ),
    { numRuns: 10_000 },
  )
}, 120_000)
