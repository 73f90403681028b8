import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDiscoveryAnswer } from './read-discovery-answer.ts'

function problemOf(answer: unknown): string | undefined {
  const outcome = readDiscoveryAnswer(answer)
  return outcome.type === 'unusable' ? outcome.problem : undefined
}

describe("a planner's answer", () => {
  it('gives tasks as they were written', () => {
    const task = {
      description: 'Write it',
      context: 'There is a file',
      files: ['a.ts'],
      parallel: false,
      priority: 'P0',
      successCriteria: ['It works'],
      dependsOn: [],
      agent: 'mine',
    }
    expect(
      readDiscoveryAnswer({
        tasks: [task],
        reasoning: 'because',
        blockers: ['time'],
        done: false,
        evidence: [],
      }),
    ).toEqual({ type: 'tasks', tasks: [task], reasoning: 'because', blockers: ['time'] })
  })

  it('may leave out everything but descriptions', () => {
    expect(readDiscoveryAnswer({ tasks: [{ description: '  Write it\n' }] })).toEqual({
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
        },
      ],
      reasoning: '',
      blockers: [],
    })
  })

  it('is read kindly where the meaning is plain', () => {
    const outcome = readDiscoveryAnswer({
      tasks: [
        { description: 'a', priority: 'urgent', successCriteria: 'It works', files: [1, 'x', ''] },
        { description: 'b', dependsOn: ['1', 1], context: null, agent: 5 },
      ],
    })
    expect(outcome).toMatchObject({
      type: 'tasks',
      tasks: [
        { priority: 'P1', successCriteria: ['It works'], files: ['x'] },
        { dependsOn: [1], context: '' },
      ],
    })
  })

  it('reaches the goal only by saying so and asking for nothing', () => {
    expect(
      readDiscoveryAnswer({ tasks: [], done: true, evidence: ['a.ts exists'], reasoning: 'all there' }),
    ).toEqual({
      type: 'goal-reached',
      evidence: ['a.ts exists'],
      reasoning: 'all there',
    })
    expect(readDiscoveryAnswer({ done: true })).toMatchObject({ type: 'goal-reached', evidence: [] })
    expect(readDiscoveryAnswer({ done: true, tasks: [{ description: 'a' }] })).toMatchObject({
      type: 'tasks',
    })
    expect(readDiscoveryAnswer({ done: false, tasks: [] })).toMatchObject({ type: 'tasks', tasks: [] })
    expect(readDiscoveryAnswer({ tasks: [] })).toMatchObject({ type: 'tasks', tasks: [] })
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
      'depends, through others, on itself',
    ],
  ])('is unusable, with the reason, when it is %s', (_, answer, problem) => {
    expect(problemOf(answer)).toContain(problem)
  })

  it('never throws and never reaches the goal unless it was told so', () => {
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
        const outcome = readDiscoveryAnswer(value)
        if (outcome.type === 'goal-reached') expect(value).toMatchObject({ done: true })
      }),
    )
  })
})
