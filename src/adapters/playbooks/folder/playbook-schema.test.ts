import { expect, test } from 'vitest'
import { playbookSchema, STAGE_SCHEMAS } from './playbook-schema.ts'

const LEAST = {
  version: 1,
  name: 'least',
  description: 'As little as possible.',
  start: 'a',
  stages: { a: {} },
}

test('a playbook that sets no limits gets the defaults', () => {
  expect(playbookSchema.parse(LEAST)).toMatchObject({
    limits: { minutes: 120, parallel: 2 },
    recover: { perVisit: 3, perRun: 10 },
  })
})

test('a playbook that sets one field keeps the defaults of the others', () => {
  const fields = { ...LEAST, limits: { minutes: 5 }, recover: { perRun: 1 } }
  expect(playbookSchema.parse(fields)).toMatchObject({
    limits: { minutes: 5, parallel: 2 },
    recover: { perVisit: 3, perRun: 1 },
  })
})

test('a stage that sets no time gets the default of its kind', () => {
  expect(STAGE_SCHEMAS.role.parse({ role: 'a', output: 'change', on: {} }).minutes).toBe(30)
  expect(STAGE_SCHEMAS.gate.parse({ gate: { ask: 'Land it?' }, on: {} }).gate.hours).toBe(72)
})
