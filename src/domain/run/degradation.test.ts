import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleVisit } from '../../../test/support/example-records.ts'
import { createFolderPlaybooks } from '../../adapters/playbooks/folder/folder-playbooks.ts'
import { SHIPPED } from '../../adapters/playbooks/folder/testing/broken-playbook.ts'
import type { Outcome } from '../playbook/outcome.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { RunEnd } from '../playbook/route.ts'
import type { Cast } from './cast.ts'
import { type Degradation, degradationLine, degradationOf, describeDegradation } from './degradation.ts'

const playbooks = new Map<string, Playbook>()

beforeAll(async () => {
  for (const name of ['development', 'research', 'reviewed']) {
    const folder = await createFolderPlaybooks({ shipped: SHIPPED }).read(path.join(SHIPPED, name))
    if (!folder.ok) throw new Error(`${name} can't be read`)
    playbooks.set(name, folder.value.playbook)
    const study = { type: 'playbook', playbook: 'research', inputs: {}, on: {} } as const
    playbooks.set('parent', { ...folder.value.playbook, roles: {}, stages: { study }, start: 'study' })
  }
})

const ONE_FAMILY: Cast = { reviewer: [{ agent: 'claude', admittedAs: 'reviewer', sameFamily: true }] }

/** A run whose stages ended like this, one after the other; a list of outcomes is a fan-out. */
function degradation(
  name: string,
  end: RunEnd,
  steps: readonly (readonly [stage: string, outcome: Outcome | readonly Outcome[]])[],
  cast: Cast = {},
  within: Readonly<Record<string, Degradation>> = {},
) {
  const playbook = playbooks.get(name)
  if (playbook === undefined) throw new Error(`there is no playbook ${name}`)
  const visits = steps.flatMap(([stage, outcome], index) =>
    (typeof outcome === 'string' ? [outcome] : outcome).map((one, branch) =>
      exampleVisit({
        ordinal: index + 1,
        stage,
        branch: typeof outcome === 'string' ? 0 : branch + 1,
        state: { type: 'settled', outcome: one },
      }),
    ),
  )
  return degradationOf({ playbook, cast, visits, end, within })
}

const GOOD = [
  ['implement', 'done'],
  ['check', 'pass'],
  ['review', 'APPROVED'],
] as const

describe('a run', () => {
  it('is full if every role took part', () => {
    const full = degradation('reviewed', 'land', GOOD)
    expect(full.level).toBe('full')
    expect(degradationLine(full)).toBe('full')
    expect(describeDegradation(full)).toEqual([])
  })

  it('is full after a failed check that was mended, and with a gate that nobody asked for', () => {
    const steps = [
      ['criteria', 'done'],
      ['implementation', 'done'],
      ['check', 'fail'],
      ['code_revision', 'done'],
      ['check', 'pass'],
      ['code_review', 'APPROVED'],
      ['result_gate', 'skipped'],
      ['documentation', 'done'],
      ['final_check', 'pass'],
    ] as const
    expect(degradation('development', 'land', steps).level).toBe('full')
  })

  it('is reduced if the reviewer is of the same family as the developer', () => {
    const reduced = degradation('reviewed', 'land', GOOD, ONE_FAMILY)
    expect(degradationLine(reduced)).toBe('reduced (same-family: reviewer)')
    expect(describeDegradation(reduced)).toEqual([
      "The reviewer isn't known to use another model family than the developer, so both may overlook the same mistakes.",
    ])
  })

  it('says nothing about the family of a reviewer that never answered', () => {
    const steps = [
      ['implement', 'done'],
      ['check', 'pass'],
      ['review', 'failed'],
    ] as const
    expect(degradation('reviewed', 'unverified', steps, ONE_FAMILY).sameFamily).toEqual([])
  })

  it('is reduced if a stage failed and the run went on without it', () => {
    const steps = [
      ['criteria', 'done'],
      ['implementation', 'done'],
      ['check', 'pass'],
      ['code_review', 'APPROVED'],
      ['documentation', 'failed'],
    ] as const
    const reduced = degradation('development', 'land', steps)
    expect(reduced).toMatchObject({ level: 'reduced', lostRoles: [], skippedStages: ['documentation'] })
    expect(describeDegradation(reduced)).toEqual(['The stage documentation failed.'])
  })

  it('is not reduced by a stage that failed once and succeeded when it was entered again', () => {
    const steps = [['review', 'failed'], ...GOOD] as const
    expect(degradation('reviewed', 'land', steps).level).toBe('full')
  })

  it('is reduced if some branches of a fan-out failed', () => {
    const steps = [
      ['questions', 'done'],
      ['initial_research', ['done', 'failed', 'done']],
      ['verification', 'APPROVED'],
      ['synthesis', 'done'],
      ['citations', 'APPROVED'],
    ] as const
    const reduced = degradation('research', 'done', steps)
    expect(degradationLine(reduced)).toBe('reduced (partial: initial_research)')
    expect(describeDegradation(reduced)).toEqual([
      'Only 2 of 3 branches of the stage initial_research succeeded.',
    ])
  })

  it('is reduced if a loop came to its end, so that the result is only partial', () => {
    const steps = [
      ['implement', 'done'],
      ['check', 'pass'],
      ['review', 'REJECTED'],
    ] as const
    const reduced = degradation('reviewed', 'partial', steps)
    expect(degradationLine(reduced)).toBe('partial; reduced')
    expect(describeDegradation(reduced)).toEqual([
      "The result is partial: it doesn't cover everything in the goal.",
    ])
  })

  it('is minimal if the reviewer was lost, so that nobody judged the work', () => {
    const steps = [
      ['implement', 'done'],
      ['check', 'pass'],
      ['review', 'failed'],
    ] as const
    const minimal = degradation('reviewed', 'unverified', steps)
    expect(degradationLine(minimal)).toBe('unverified; minimal (lost: reviewer; failed: review)')
    expect(describeDegradation(minimal)).toEqual([
      'Nobody approved the result.',
      'The role reviewer was lost: nothing that it tried succeeded.',
      'The stage review failed.',
    ])
  })

  it('is minimal if its result is partial because a stage failed', () => {
    const steps = [
      ['implement', 'done'],
      ['check', 'fail'],
      ['revise', 'failed'],
    ] as const
    expect(degradation('reviewed', 'partial', steps).level).toBe('minimal')
  })

  it('is reduced if a child run is only partial, and if it failed', () => {
    const lines = (outcome: Outcome) => degradationLine(degradation('parent', 'done', [['study', outcome]]))
    expect(lines('complete')).toBe('full')
    expect(lines('partial')).toBe('reduced (partial: study)')
    expect(lines('failed')).toBe('reduced (failed: study)')
  })

  it('did without what a run within it did without, and is no better than that run', () => {
    const within = (end: RunEnd) =>
      degradation(
        'reviewed',
        end,
        [
          ['implement', 'done'],
          ['review', 'failed'],
        ],
        ONE_FAMILY,
      )
    const outer = (outcome: Outcome, end: RunEnd) =>
      degradation('parent', 'land', [['study', outcome]], {}, { study: within(end) })
    const complete = outer('complete', 'land')
    expect(degradationLine(complete)).toBe('reduced (lost: study/reviewer; failed: study/review)')
    expect(describeDegradation(complete)).toEqual([
      'The role study/reviewer was lost: nothing that it tried succeeded.',
      'The stage study/review failed.',
    ])
    expect(outer('partial', 'unverified')).toMatchObject({ level: 'minimal' })
  })

  it('tells a stage that a fork left out from one that failed', () => {
    const steps = [
      ['implement', 'done'],
      ['check', 'pass'],
      ['review', 'skipped'],
    ] as const
    const skipped = degradation('reviewed', 'unverified', steps)
    expect(skipped).toMatchObject({ lostRoles: [], skippedStages: ['review'], omittedStages: ['review'] })
    expect(degradationLine(skipped)).toBe('unverified; minimal (skipped: review)')
    expect(describeDegradation(skipped)).toContain(
      'The stage review was skipped, because the fork left it out.',
    )
  })

  it('is reduced if a list had more entries than its stage may have branches', () => {
    const playbook = playbooks.get('research')
    if (playbook === undefined) throw new Error('there is no research')
    const visits = [
      exampleVisit({ stage: 'questions', answer: { questions: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] } }),
      ...[1, 2, 3, 4, 5].map((branch) =>
        exampleVisit({ stage: 'initial_research', ordinal: 2, branch, answer: {} }),
      ),
    ]
    const reduced = degradationOf({ playbook, cast: {}, visits, end: 'done' })
    expect(degradationLine(reduced)).toBe('reduced (left out: 2 of 7 questions of initial_research)')
    expect(describeDegradation(reduced)).toEqual([
      'The stage initial_research left out 2 of 7 questions: its playbook allows it only 5.',
    ])
  })

  it('has failed without its developer', () => {
    const failed = degradation('reviewed', 'failed', [['implement', 'failed']])
    expect(failed).toMatchObject({ level: 'failed', lostRoles: ['developer'] })
    expect(describeDegradation(failed)[0]).toBe('There is no result.')
  })
})
