import { expect, it } from 'vitest'
import { describeCastFailure } from './describe-cast-failure.ts'

it('names every role without an agent, what it asked for, and what there is', () => {
  const lines = describeCastFailure({
    type: 'uncastable',
    faults: [
      { role: 'auditor', mode: 'read', asked: ['security', 'gemini'], unfit: [] },
      {
        role: 'developer',
        mode: 'write',
        asked: ['worker'],
        unfit: [
          { agent: 'plain', why: 'plain-model' },
          { agent: 'coder', why: 'model-bound' },
        ],
      },
    ],
    agents: ['plain', 'coder'],
    roles: ['worker', 'reviewer'],
  })
  expect(lines).toEqual([
    'The role "auditor" asks for "security" or "gemini", but no agent here has that name or role.',
    'The role "developer" asks for "worker", but "plain" is a plain model, which can\'t change files, and the model of "coder" isn\'t one of those that the role allows.',
    'Agents here: plain, coder. Roles here: worker, reviewer.',
    'Give an agent one of the roles in muster.yaml, or run `muster doctor` to see which agents can be started here.',
  ])
})

it('says so if there are no agents at all', () => {
  const [, has] = describeCastFailure({
    type: 'uncastable',
    faults: [{ role: 'developer', mode: 'write', asked: ['worker'], unfit: [] }],
    agents: [],
    roles: [],
  })
  expect(has).toBe('There are no agents here.')
})
