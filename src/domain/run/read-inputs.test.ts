import { expect, it } from 'vitest'
import type { Playbook } from '../playbook/playbook.ts'
import { readInputs } from './read-inputs.ts'

const PLAYBOOK: Pick<Playbook, 'inputs'> = {
  inputs: {
    goal: { type: 'text', isRequired: true },
    n: { type: 'number', isRequired: false, default: 3, min: 2, max: 8 },
    gate: { type: 'choice', isRequired: false, default: 'no', of: ['no', 'yes'] },
    note: { type: 'text', isRequired: true },
  },
}

it('takes what was given, and the defaults of the others', () => {
  expect(readInputs(PLAYBOOK, { note: 'x', n: '4' })).toEqual({
    ok: true,
    value: { n: 4, gate: 'no', note: 'x' },
  })
})

it.each([
  [{}, 'the input "note" is required'],
  [{ note: 'x', n: '9' }, 'the input "n" must be a number from 2 to 8'],
  [{ note: 'x', n: '' }, 'the input "n" must be a number from 2 to 8'],
  [{ note: 'x', gate: 'maybe' }, 'the input "gate" must be one of: no, yes'],
  [{ note: 'x', gat: 'yes' }, 'there is no input "gat"; did you mean "gate"?'],
  [{ note: 'x', goal: 'y' }, 'the goal is not an input; write it after the name of the playbook'],
])('%j is refused: %s', (given, failure) => {
  expect(readInputs(PLAYBOOK, given)).toEqual({ ok: false, failure })
})
