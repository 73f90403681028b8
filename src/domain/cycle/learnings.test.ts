import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distinctLearnings, goalWithLearnings } from './learnings.ts'

describe('learnings', () => {
  it('are kept once each, on one line each; the newest win if there are too many', () => {
    expect(distinctLearnings('use tabs\n\n- use tabs\n## use  spaces\r')).toEqual(['use tabs', 'use spaces'])
    const many = Array.from({ length: 60 }, (_, index) => `line ${index}`)
    expect(distinctLearnings(many.join('\n'))).toEqual(many.slice(10))
  })

  it('are appended to the goal under their own heading', () => {
    const once = goalWithLearnings('# Goal\n\nGrow.\n', ['use tabs'])
    expect(once).toBe('# Goal\n\nGrow.\n\n## Learnings\n\n- use tabs\n')
    expect(goalWithLearnings(once, ['use tabs', 'build first'])).toBe(
      '# Goal\n\nGrow.\n\n## Learnings\n\n- use tabs\n- build first\n',
    )
  })

  it('leave the rest of the goal unchanged, including what follows them', () => {
    const goal = '# Goal\n\n## Learnings\n\n- use tabs\n\n## Rules\n\n- be kind\n'
    expect(goalWithLearnings(goal, ['build first'])).toBe(
      '# Goal\n\n## Learnings\n\n- use tabs\n- build first\n\n## Rules\n\n- be kind\n',
    )
    expect(goalWithLearnings(goal, [])).toContain('## Rules\n\n- be kind')
  })

  it('can be appended forever without growing the goal forever or adding a heading', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string(), { maxLength: 30 }), { maxLength: 8 }), (cycles) => {
        const goal = cycles.reduce((text, learnt) => goalWithLearnings(text, learnt), '# Goal')
        const lines = goal.trimEnd().split('\n')
        expect(lines.length).toBeLessThanOrEqual(54)
        expect(lines.filter((line) => line.startsWith('#')).length).toBeLessThanOrEqual(2)
        expect(goalWithLearnings(goal, [])).toBe(goal)
      }),
    )
  })
})
