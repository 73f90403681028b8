import path from 'node:path'
import { expect, it } from 'vitest'
import { readFolder } from '../../adapters/playbooks/folder/read-folder.ts'
import { SHIPPED } from '../../adapters/playbooks/folder/testing/broken-playbook.ts'
import { landsUnreviewed } from './lands-unreviewed.ts'
import type { Playbook, PlaybookRole } from './playbook.ts'
import type { RoleStage } from './stage.ts'

async function shipped(name: string): Promise<Playbook> {
  const read = await readFolder(path.join(SHIPPED, name), path.join(SHIPPED, 'builtin'))
  if (!read.ok) throw new Error(JSON.stringify(read.failure))
  return read.value.playbook
}

it('tells the shipped playbooks whose work is always approved from those that land without it', async () => {
  const names = ['solo', 'reviewed', 'tdd', 'best-of', 'research']
  const found = await Promise.all(names.map(async (name) => [name, landsUnreviewed(await shipped(name))]))
  expect(Object.fromEntries(found)).toEqual({
    solo: true,
    reviewed: false,
    tdd: false,
    'best-of': true,
    research: false,
  })
})

it('counts work that changes after its review, and partial work that lands', async () => {
  // Its documentation is written after the code was reviewed.
  expect(landsUnreviewed(await shipped('development'))).toBe(true)
  const reviewed = await shipped('reviewed')
  // Out of time, it would land what the reviewer has not seen, or has rejected.
  expect(landsUnreviewed({ ...reviewed, result: { ...reviewed.result, partial: 'land' } })).toBe(true)
})

it('counts only reviews of the work itself', async () => {
  const reviewed = await shipped('reviewed')
  const review = reviewed.stages['review'] as RoleStage
  const ofBase = { ...reviewed.stages, review: { ...review, from: { type: 'head' } as const } }
  expect(landsUnreviewed({ ...reviewed, stages: ofBase })).toBe(true)
  const reviewer = reviewed.roles['reviewer'] as PlaybookRole
  const byModel = { ...reviewed.roles, reviewer: { ...reviewer, mode: 'model' } as const }
  expect(landsUnreviewed({ ...reviewed, roles: byModel })).toBe(false)
  const sees = review.sees.filter(({ of }) => of !== 'diff')
  const blind = { ...reviewed.stages, review: { ...review, sees } }
  expect(landsUnreviewed({ ...reviewed, roles: byModel, stages: blind })).toBe(true)
})
