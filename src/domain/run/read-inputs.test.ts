import { expect, it } from 'vitest'
import type { Playbook } from '../playbook/playbook.ts'
import type { Stage } from '../playbook/stage.ts'
import { readInputs } from './read-inputs.ts'

const tries = {
  type: 'role',
  fanOut: { type: 'times', count: { of: 'inputs', field: 'tries', isOptional: false } },
} as unknown as Stage

const PLAYBOOK: Pick<Playbook, 'inputs' | 'stages'> = {
  stages: { try: tries },
  inputs: {
    goal: { type: 'text', isRequired: true },
    n: { type: 'number', isRequired: false, default: 3, min: 2, max: 8 },
    tries: { type: 'number', isRequired: false, default: 2, min: 1, max: 8 },
    gate: { type: 'choice', isRequired: false, default: 'no', of: ['no', 'yes'] },
    note: { type: 'text', isRequired: true },
  },
}

it('takes what was given, and the defaults of the others', () => {
  expect(readInputs(PLAYBOOK, { note: 'x', n: '4' })).toEqual({
    ok: true,
    value: { n: 4, tries: 2, gate: 'no', note: 'x' },
  })
})

it.each([
  [{}, 'the input "note" is required'],
  [{ note: 'x', n: '9' }, 'the input "n" must be a number from 2 to 8'],
  [{ note: 'x', n: '' }, 'the input "n" must be a number from 2 to 8'],
  [{ note: 'x', tries: 2.5 }, 'the input "tries" must be a whole number from 1 to 8'],
  [{ note: 'x', gate: 'maybe' }, 'the input "gate" must be one of: no, yes'],
  [{ note: 'x', gat: 'yes' }, 'there is no input "gat"; did you mean "gate"?'],
  [{ note: 'x', goal: 'y' }, 'the goal is not an input; write it after the name of the playbook'],
])('%j is refused: %s', (given, failure) => {
  expect(readInputs(PLAYBOOK, given)).toEqual({ ok: false, failure })
})
