import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readWorkReport } from '../attempt/read-work-report.ts'
import { ANSWER_LIMITS } from '../limits/answer-limits.ts'
import { readDiscoveryAnswer } from './read-discovery-answer.ts'
import { evidenceLines } from './read-evidence.ts'

const GOAL = ['it is fast', 'it is small', 'it is tested']

function problemOf(answer: unknown): string | undefined {
  const outcome = readDiscoveryAnswer(answer, GOAL)
  return outcome.type === 'unusable' ? outcome.problem : undefined
}

describe("a planner's answer", () => {
  it('returns tasks as they were written', () => {
    const task = {
      description: 'Write it',
      context: 'There is a file',
      files: ['a.ts'],
      parallel: false,
      priority: 'P0',
      successCriteria: ['It works'],
      dependsOn: [],
      clauses: [1, 3],
      agent: 'mine',
    }
    expect(
      readDiscoveryAnswer(
        {
          tasks: [task],
          reasoning: 'because',
          blockers: ['time'],
          done: false,
          evidence: [],
          learnings: ['the build\n needs make'],
        },
        GOAL,
      ),
    ).toEqual({
      type: 'tasks',
      tasks: [task],
      reasoning: 'because',
      blockers: ['time'],
      learnings: ['the build needs make'],
    })
  })

  it('may omit everything but descriptions', () => {
    expect(readDiscoveryAnswer({ tasks: [{ description: '  Write it\n' }] }, GOAL)).toEqual({
      type: 'tasks',
      tasks: [
        {
          description: 'Write it',
          context: '',
          files: [],
          parallel: true,
          priority: 'P1',
          successCriteria: [],
          dependsOn: [],
          clauses: [],
        },
      ],
      reasoning: '',
      blockers: [],
      learnings: [],
    })
  })

  it('is read leniently where its meaning is clear', () => {
    const tasks = [
      { description: 'a', priority: 'urgent', successCriteria: 'It works', files: [1, 'x', ''] },
      { description: 'b', dependsOn: ['1', 1], context: null, agent: 5, clauses: ['2', 4, 0, 1, 2, 'x'] },
    ]
    const outcome = readDiscoveryAnswer({ tasks }, GOAL)
    expect(outcome).toMatchObject({
      type: 'tasks',
      tasks: [
        { priority: 'P1', successCriteria: ['It works'], files: ['x'] },
        { dependsOn: [1], context: '', clauses: [1, 2] },
      ],
    })
  })

  it('reaches the goal only if it says so and lists no tasks', () => {
    const one = ['it is there']
    expect(
      readDiscoveryAnswer(
        {
          tasks: [],
          done: true,
          evidence: ['a.ts exists'],
          reasoning: 'all there',
          learnings: 'it is small',
        },
        one,
      ),
    ).toEqual({
      type: 'goal-reached',
      evidence: [{ clause: 1, evidence: 'a.ts exists' }],
      reasoning: 'all there',
      learnings: ['it is small'],
    })
    expect(
      readDiscoveryAnswer({ done: true, evidence: ['yes'], tasks: [{ description: 'a' }] }, one),
    ).toMatchObject({ type: 'tasks' })
    expect(readDiscoveryAnswer({ done: false, tasks: [] }, one)).toMatchObject({ type: 'tasks', tasks: [] })
    expect(readDiscoveryAnswer({ tasks: [] }, one)).toMatchObject({ type: 'tasks', tasks: [] })
  })

  it("keeps as much of a learning as a worker's report does", () => {
    const learnings = ['x'.repeat(500)]
    const kept = ['x'.repeat(ANSWER_LIMITS.learningCharacters)]
    expect(readDiscoveryAnswer({ tasks: [], learnings }, GOAL)).toMatchObject({ learnings: kept })
    expect(readWorkReport({ learnings }, 1).learnings).toEqual(kept)
  })

  it.each<[string, unknown, readonly string[]]>([
    [
      'for each clause',
      [1, 2, 3].map((clause) => ({ clause, evidence: `see ${clause}` })),
      ['see 1', 'see 2', 'see 3'],
    ],
    [
      'in another order',
      [3, 1, 2].map((clause) => ({ clause: `${clause}`, evidence: 'x' })),
      ['x', 'x', 'x'],
    ],
    ['as texts in their places', ['a', 'b', 'c'], ['a', 'b', 'c']],
    ['twice for a clause', ['a', 'b', 'c', { clause: 2, evidence: 'd' }], ['a', 'd; b', 'c']],
  ])('is done with evidence %s', (_, evidence, expected) => {
    const outcome = readDiscoveryAnswer({ done: true, evidence }, GOAL)
    expect(outcome).toMatchObject({ type: 'goal-reached' })
    if (outcome.type !== 'goal-reached') return
    expect(outcome.evidence.map((each) => each.evidence)).toEqual(expected)
    expect(evidenceLines(outcome.evidence, GOAL)[1]).toBe(`it is small — ${expected[1]}`)
  })

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'clause 1: it is fast; clause 2: it is small; clause 3: it is tested'],
    ['too few texts', ['all is well'], 'clause 1: it is fast; clause 2: it is small; clause 3: it is tested'],
    ['a text that says nothing', ['a', ' ', 'c'], 'clause 2: it is small'],
    [
      'a clause that is not there',
      [
        { clause: 4, evidence: 'x' },
        { clause: 1, evidence: 'y' },
      ],
      'clause 2',
    ],
    [
      'a clause without a word',
      [1, 2, 3].map((clause) => ({ clause, evidence: clause === 3 ? '' : 'x' })),
      'clause 3',
    ],
  ])('is not done if its evidence is %s, and names the clauses without evidence', (_, evidence, missing) => {
    expect(problemOf({ done: true, tasks: [], evidence })).toContain(`evidence is missing for ${missing}`)
  })

  it('accepts any evidence for a goal of one clause, and does not repeat the clause', () => {
    const outcome = readDiscoveryAnswer({ done: true, evidence: ['a', 'b'] }, ['it is there'])
    expect(outcome).toMatchObject({ evidence: [{ clause: 1, evidence: 'a; b' }] })
    expect(evidenceLines([{ clause: 1, evidence: 'a; b' }], ['it is there'])).toEqual(['a; b'])
  })

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'one JSON object'],
    ['null', null, 'one JSON object'],
    ['a list', [], 'one JSON object'],
    ['a text', 'done', 'one JSON object'],
    ['an object without tasks', {}, '`tasks` must be a list'],
    ['an unfinished object without tasks', { done: false }, '`tasks` must be a list'],
    ['tasks that are no list', { tasks: { description: 'a' } }, '`tasks` must be a list'],
    ['a doubtful done', { done: 'yes', tasks: [] }, '`done` must be true or false'],
    ['a task that is a text', { tasks: ['a'] }, 'task 1 must be'],
    [
      'a task without a description',
      { tasks: [{ description: 'a' }, { description: ' ' }] },
      'task 2 has no',
    ],
    ['too many tasks', { tasks: Array(51).fill({ description: 'a' }) }, 'at most 50'],
    ['an endless description', { tasks: [{ description: 'x'.repeat(20_001) }] }, '`description` of task 1'],
    [
      'an endless context',
      { tasks: [{ description: 'a', context: 'x'.repeat(20_001) }] },
      '`context` of task 1',
    ],
    ['dependencies that are no list', { tasks: [{ description: 'a', dependsOn: 2 }] }, 'must be a list'],
    ['a dependency by name', { tasks: [{ description: 'a', dependsOn: ['b'] }] }, 'from 1 to 1'],
    ['a dependency on task 0', { tasks: [{ description: 'a', dependsOn: [0] }] }, 'from 1 to 1'],
    ['a dependency out of range', { tasks: [{ description: 'a', dependsOn: [2] }] }, 'from 1 to 1'],
    ['a dependency on itself', { tasks: [{ description: 'a', dependsOn: [1] }] }, 'depends on itself'],
    [
      'dependencies in a circle',
      {
        tasks: [
          { description: 'a', dependsOn: [2] },
          { description: 'b', dependsOn: [3] },
          { description: 'c', dependsOn: [1] },
        ],
      },
      'depends on itself through other tasks',
    ],
  ])('is unusable, with a reason, when it is %s', (_, answer, problem) => {
    expect(problemOf(answer)).toContain(problem)
  })

  it('never throws, and never reaches the goal unless it says so', () => {
    const answer = fc.oneof(
      fc.anything(),
      fc.record(
        {
          done: fc.oneof(fc.boolean(), fc.anything()),
          tasks: fc.oneof(
            fc.array(fc.record({ description: fc.anything(), dependsOn: fc.anything() })),
            fc.anything(),
          ),
          evidence: fc.anything(),
          reasoning: fc.anything(),
        },
        { requiredKeys: [] },
      ),
    )
    fc.assert(
      fc.property(answer, (value) => {
        const outcome = readDiscoveryAnswer(value, GOAL)
        if (outcome.type === 'goal-reached') {
          expect(value).toMatchObject({ done: true })
          expect(outcome.evidence.map(({ clause }) => clause)).toEqual([1, 2, 3])
        }
        if (outcome.type === 'unusable') expect(outcome.problem).not.toContain('\n')
      }),
    )
  })
})
