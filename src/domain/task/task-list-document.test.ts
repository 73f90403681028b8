import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exampleCycle, exampleJob, exampleTask } from '../../../test/support/example-records.ts'
import type { Task } from './task.ts'
import { taskListDocument } from './task-list-document.ts'

const cycle = exampleCycle(exampleJob())
const task = (overrides: Partial<Task>) => exampleTask(cycle, overrides)
const write = (tasks: readonly Task[], wantedTasks = '') =>
  taskListDocument({ tasks, cycles: [], wantedTasks })

describe('the task list', () => {
  it('shows cycles, outcomes, criteria with evidence, and what may help', () => {
    const tasks = [
      task({
        number: 1,
        description: 'Write the parser',
        state: { type: 'completed', commit: 'abcdef0123456789' },
        successCriteria: ['it parses', 'it is fast'],
        criteria: [
          { number: 1, isMet: true, evidence: 'tests pass', by: 'worker' },
          { number: 2, isMet: true, evidence: 'trust me', by: 'worker' },
          { number: 2, isMet: false, evidence: '3 s for a line', by: 'reviewer' },
        ],
      }),
      task({
        number: 2,
        description: 'Use it',
        state: { type: 'blocked', reason: 'no key\nat all', paths: [], suggestion: 'set the key' },
      }),
      task({ number: 1, cycleNumber: 2, description: 'Go on' }),
    ]
    const cycles = [{ number: 1, summary: '1 of 2 tasks landed\n- more' }]
    expect(taskListDocument({ tasks, cycles, wantedTasks: 'first\n\n# then' })).toBe(
      [
        '# Task list',
        '',
        'Kept by Muster; rewritten after every cycle.',
        '',
        '## Wanted',
        '',
        '> first',
        '>',
        '> # then',
        '',
        '## Cycle 1',
        '',
        '1 of 2 tasks landed',
        '',
        '- [x] 1.1 (P1) Write the parser — landed as abcdef0123',
        '  - [x] it parses — worker: tests pass',
        '  - [ ] it is fast — reviewer: 3 s for a line',
        '- [ ] 1.2 (P1) Use it — blocked: no key',
        '  - what may help: set the key',
        '',
        '## Cycle 2',
        '',
        '- [ ] 2.1 (P1) Go on',
        '',
      ].join('\n'),
    )
  })

  it('is the same for the same rows, in whatever order they come', () => {
    const tasks = [task({ number: 1, cycleNumber: 2 }), task({ number: 1 })]
    expect(write(tasks)).toBe(write(tasks.toReversed()))
  })

  it('keeps its structure whatever agents and people write', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('\n', '\r', '#', '-', ' ', '`', '<', '>', '[', ']', 'x', '\u2028'),
    })
    fc.assert(
      fc.property(hostile, hostile, hostile, (description, reason, wanted) => {
        const text = write(
          [task({ description, state: { type: 'failed', reason } }), task({ number: 2 })],
          wanted,
        )
        const lines = text.split(/\n|\r/)
        expect(
          lines.filter((line) => /^#/.test(line) && !/^# Task list|^## (?:Wanted|Cycle 1)$/.test(line)),
        ).toEqual([])
        expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(2)
        expect(lines.filter((line) => !line.startsWith('>')).join('\n')).not.toContain('<')
      }),
    )
  })
})
