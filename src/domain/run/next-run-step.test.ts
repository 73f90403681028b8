import { beforeAll, describe, expect, it } from 'vitest'
import { Play, readShipped } from '../../../test/support/run-play.ts'
import { describeRunEnd } from './describe-run-end.ts'
import { bestWork, newestWork } from './run-work.ts'

beforeAll(readShipped)

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
    expect(describeRunEnd('failed', empty.visits, [])).toBe(
      'initial_research ended with failed: the list questions.questions is empty',
    )
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
    for (const outcome of ['REJECTED', 'failed', 'APPROVED'] as const) play.settle('reviews', outcome)
    expect(play.open.map(({ stage }) => stage)).toEqual(['merge'])
  })
})
