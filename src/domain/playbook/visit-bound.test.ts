import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findGraphProblems } from './find-graph-problems.ts'
import { outcomesOf } from './outcomes-of.ts'
import type { Playbook } from './playbook.ts'
import type { Route, Target } from './route.ts'
import type { Stage } from './stage.ts'
import { edgesOf, isAlwaysBefore, reachableFrom } from './stage-graph.ts'
import { visitBound } from './visit-bound.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e']
const LAND: Target = { type: 'end', end: 'land' }
const to = (stage: string): Target => ({ type: 'stage', stage })
const always = (target: Target): Route => ({ type: 'always', to: target })

function playbookOf(stages: Readonly<Record<string, Stage>>, start = 'a'): Playbook {
  return {
    name: 'trial',
    description: 'A trial.',
    inputs: {},
    roles: {},
    limits: { minutes: 1, parallel: 1 },
    hasNotebook: false,
    start,
    stages,
    result: { documents: [], partial: 'ask' },
    recover: { perVisit: 0, perRun: 0, actions: {} },
  }
}

const anywhere = fc.constantFrom(LAND, ...NAMES.map(to))

/** A stage whose routes without a limit lead only to `free` targets; limited ones lead anywhere. */
function stageWith(free: fc.Arbitrary<Target>): fc.Arbitrary<Stage> {
  const limited = fc.record({
    type: fc.constant('limited' as const),
    to: anywhere,
    max: fc.integer({ min: 1, max: 3 }),
    beyond: free,
  })
  const route: fc.Arbitrary<Route> = fc.oneof(free.map(always), limited)
  return fc.oneof(
    fc.record({ type: fc.constant('checks' as const), on: fc.record({ pass: route, fail: route }) }),
    fc.record({
      type: fc.constant('choose' as const),
      cases: fc.array(fc.record({ condition: fc.constant([]), to: free }), { maxLength: 2 }),
      otherwise: free,
    }),
  )
}

function playbooksOf(freeOf: (index: number) => fc.Arbitrary<Target>): fc.Arbitrary<Playbook> {
  return fc
    .tuple(...NAMES.map((_, index) => stageWith(freeOf(index))))
    .map((stages) => playbookOf(Object.fromEntries(stages.map((one, index) => [NAMES[index] ?? '', one]))))
}

/** Takes arbitrary outcomes until the run ends, and counts the visits; more than `most` are not followed. */
function walk({ stages, start }: Playbook, picks: readonly number[], most: number): number {
  const used = new Map<Route, number>()
  let visits = 0
  for (let here: Target = to(start); here.type === 'stage' && visits <= most; visits += 1) {
    here = next(stages[here.stage], picks[visits % picks.length] ?? 0, used)
  }
  return visits
}

function next(found: Stage | undefined, pick: number, used: Map<Route, number>): Target {
  if (found === undefined) throw new Error('a route leads to no stage')
  if (found.type === 'choose') return found.cases[pick % (found.cases.length + 1)]?.to ?? found.otherwise
  const outcomes = outcomesOf(found)
  const taken = found.on[outcomes[pick % outcomes.length] ?? '']
  if (taken === undefined) throw new Error('an outcome has no route')
  if (taken.type === 'always') return taken.to
  const uses = used.get(taken) ?? 0
  used.set(taken, uses + 1)
  return uses < taken.max ? taken.to : taken.beyond
}

const endless = (playbook: Playbook) =>
  findGraphProblems(playbook).some(({ problem }) => problem.includes('never has to end'))

const picks = fc.array(fc.nat(), { minLength: 1, maxLength: 40 })

test('a run ends within the bound if only limited routes lead back', () => {
  const forward = (index: number) => fc.constantFrom(LAND, ...NAMES.slice(index + 1).map(to))
  fc.assert(
    fc.property(playbooksOf(forward), picks, (playbook, outcomes) => {
      expect(endless(playbook)).toBe(false)
      const bound = visitBound(playbook)
      expect(walk(playbook, outcomes, bound)).toBeLessThanOrEqual(bound)
    }),
    { numRuns: 5000 },
  )
})

test('a run ends within the bound, or the playbook is reported as endless', () => {
  fc.assert(
    fc.property(
      playbooksOf(() => anywhere),
      picks,
      (playbook, outcomes) => {
        const bound = visitBound(playbook)
        expect(endless(playbook) || walk(playbook, outcomes, bound) <= bound).toBe(true)
      },
    ),
    { numRuns: 2000 },
  )
})

test('the bound counts the longest way, the ways after limited routes, and branches', () => {
  const playbook = playbookOf({
    a: { type: 'checks', on: { pass: always(to('b')), fail: always(LAND) } },
    b: {
      type: 'checks',
      on: { pass: always(LAND), fail: { type: 'limited', to: to('a'), max: 3, beyond: LAND } },
    },
  })
  expect(visitBound(playbook)).toBe(8)
})

test('edges leave out ends, and count the way beyond a limit as free', () => {
  const playbook = playbookOf({
    a: {
      type: 'checks',
      on: { pass: always(LAND), fail: { type: 'limited', to: to('b'), max: 1, beyond: to('c') } },
    },
    b: { type: 'choose', cases: [{ condition: [], to: to('c') }], otherwise: LAND },
    c: { type: 'checks', on: { pass: always(LAND), fail: always(LAND) } },
  })
  const edges = edgesOf(playbook)
  expect(edges.map(({ from, to: end, isLimited }) => `${from} ${end} ${isLimited}`)).toEqual([
    'a b true',
    'a c false',
    'b c false',
  ])
  expect([...reachableFrom(edges, ['a'], ['b'])]).toEqual(['a', 'c'])
  expect(isAlwaysBefore(playbook, edges, 'a', 'c')).toBe(true)
  expect(isAlwaysBefore(playbook, edges, 'b', 'c')).toBe(false)
  expect(isAlwaysBefore(playbook, edges, 'c', 'c')).toBe(false)
})
