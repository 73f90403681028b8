import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readFolder } from '../../adapters/playbooks/folder/read-folder.ts'
import { happyOutcomes } from './happy-outcomes.ts'

const SHIPPED = readdirSync('playbooks').filter((name) => name !== 'builtin')

async function read(name: string) {
  const found = await readFolder(`playbooks/${name}`, 'playbooks/builtin')
  if (!found.ok) throw new Error(JSON.stringify(found.failure))
  return found.value.playbook
}

it('lets tests fail first, if the playbook wants that', async () => {
  expect(happyOutcomes(await read('tdd'))).toEqual({
    tests: 'done',
    red: 'fail',
    tests_gate: 'allowed',
    tests_revision: 'done',
    implement: 'done',
    check: 'pass',
    review: 'APPROVED',
    revise: 'done',
  })
})

it.each(SHIPPED)('never fails in %s', async (name) => {
  const outcomes = Object.entries(happyOutcomes(await read(name)))
  const bad = outcomes.filter(([, outcome]) => ['failed', 'none', 'denied', 'expired'].includes(outcome))
  expect(bad).toEqual([])
})
