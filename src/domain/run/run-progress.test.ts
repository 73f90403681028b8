import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { Play, readShipped, SHIPPED_NAMES } from '../../../test/support/run-play.ts'
import { branchOutcomesOf } from '../playbook/outcomes-of.ts'
import { progressOf } from './run-progress.ts'

beforeAll(readShipped)

const progress = (play: Play) => progressOf(play.playbook, play, play.visits)

describe('progressOf', () => {
  it('is the share of the weight that has ended while a run takes the expected way', () => {
    const play = new Play('solo')
    const stages = Object.values(play.playbook.stages)
    const [minutes = 0] = stages.flatMap((stage) => (stage.type === 'role' ? [stage.minutes] : []))
    expect(progress(play)).toBe(0)
    play.settle('implement', 'done', { commit: 'c1' })
    expect(progress(play)).toBeCloseTo(minutes / (minutes + 6))
    play.settle('check', 'pass')
    expect(progress(play)).toBe(1)
  })

  it('counts the branches of a stage one by one', () => {
    const play = new Play('best-of', { n: 2 })
    play.settle('try', 'done', { commit: 'c1' })
    const half = progress(play)
    play.settle('try', 'done', { commit: 'c2' })
    expect(half).toBeGreaterThan(0)
    expect(progress(play)).toBeGreaterThan(half)
  })

  it('keeps what it has reported when a revision adds work', () => {
    const play = new Play('reviewed')
    play.settle('implement', 'done', { commit: 'c1' })
    play.settle('check', 'pass')
    const before = progress(play)
    play.settle('review', 'NEEDS_REVISION')
    const after = progress(play)
    expect(after).toBeGreaterThanOrEqual(before)
    expect(after).toBeLessThan(1)
  })

  it('never goes back, and is complete only when the run has ended', () => {
    const names = fc.constantFrom(...SHIPPED_NAMES)
    const picks = fc.infiniteStream(fc.nat(1_000))
    fc.assert(
      fc.property(names, picks, (name, stream) => {
        const pick = () => stream.next().value ?? 0
        const play = new Play(name)
        let reported = progress(play)
        while (play.state.type === 'running') {
          const visit = play.open[pick() % play.open.length]
          const stage = play.playbook.stages[visit?.stage ?? '']
          if (visit === undefined || stage === undefined) throw new Error('nothing is open')
          const outcomes = branchOutcomesOf(stage)
          const answer = { questions: ['a', 'b'], choice: 1, needsDesign: pick() % 2 === 0 }
          play.settleVisit(visit, outcomes[pick() % outcomes.length] ?? 'failed', { commit: 'c1', answer })
          const now = progress(play)
          expect(now).toBeGreaterThanOrEqual(reported)
          expect(now === 1).toBe(play.state.type !== 'running')
          reported = now
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
