import { expect, test } from 'vitest'
import { outcomesOf } from './outcomes-of.ts'
import type { RoleStage, Stage } from './stage.ts'

const role: RoleStage = {
  type: 'role',
  role: 'developer',
  from: { type: 'work' },
  sees: [],
  output: { type: 'shipped', format: 'change' },
  minutes: 1,
  on: {},
}
const review: RoleStage = { ...role, output: { type: 'shipped', format: 'review' } }
const gate: Stage = { type: 'gate', ask: 'Land?', shows: [], hours: 1, on: {} }

test.each<[string, Stage, readonly string[]]>([
  ['a role', role, ['done', 'failed']],
  ['a role that reviews', review, ['APPROVED', 'NEEDS_REVISION', 'REJECTED', 'failed']],
  ['a role that fans out', { ...review, fanOut: { type: 'times', count: 2 } }, ['some', 'none']],
  ['checks', { type: 'checks', on: {} }, ['pass', 'fail']],
  ['checks of each branch', { type: 'checks', each: 'try', on: {} }, ['some', 'one', 'none']],
  ['a gate', gate, ['allowed', 'denied', 'expired']],
  ['a gate with a condition', { ...gate, condition: [] }, ['allowed', 'denied', 'expired', 'skipped']],
  ['a choice', { type: 'choose', cases: [], otherwise: { type: 'end', end: 'done' } }, []],
  [
    'another playbook',
    { type: 'playbook', playbook: 'solo', inputs: {}, on: {} },
    ['complete', 'partial', 'failed'],
  ],
])('the outcomes of %s', (_kind, stage, outcomes) => {
  expect(outcomesOf(stage)).toEqual(outcomes)
})
