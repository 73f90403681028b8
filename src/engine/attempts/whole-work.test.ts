import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngineWorld } from '../../../test/support/engine-world.ts'
import { ids } from '../../../test/support/example-records.ts'
import type { UsableWork } from '../../ports/working-trees.ts'
import { changesOf, wholeWork } from './whole-work.ts'

let world: Awaited<ReturnType<typeof openEngineWorld>>
let base: string
const projectId = ids.next('project')

beforeAll(async () => {
  world = await openEngineWorld()
  const source = await world.hub.branches.inspectSource(world.repository.path)
  if (!source.ok) throw new Error(source.failure.type)
  const imported = await world.hub.branches.importBase(projectId, source.value, undefined)
  if (!imported.ok) throw new Error(imported.failure.type)
  base = imported.value.commit
})
afterAll(() => world[Symbol.asyncDispose]())

async function commit(on: string, files: Readonly<Record<string, string>>): Promise<string> {
  const made = await world.hub.commits.commitFiles(projectId, on, files, 'work')
  if (!made.ok) throw new Error(made.failure.type)
  return made.value
}

function collected(tip: string, files: readonly string[]): UsableWork {
  return { type: 'usable', tip, commits: [tip], files, committedForAgent: false, omissions: [] }
}

describe('the whole work', () => {
  it('is the work of the attempt alone if that continued nothing', async () => {
    const tip = await commit(base, { 'a.txt': '1\n' })
    expect(await wholeWork(world.hub, projectId, base, collected(tip, ['a.txt']))).toMatchObject({
      files: ['a.txt'],
      commits: [tip],
      hasChanged: true,
      size: { files: 1, added: 1 },
    })
  })

  it('includes the earlier work that it continued, measured from the given commit', async () => {
    const first = await commit(base, { 'a.txt': '1\n' })
    const tip = await commit(first, { 'b.txt': '1\n2\n' })
    const earlier = { files: ['a.txt'], commits: [first] }
    expect(await wholeWork(world.hub, projectId, base, collected(tip, ['b.txt']), earlier)).toMatchObject({
      files: ['a.txt', 'b.txt'],
      commits: [first, tip],
      hasChanged: true,
      size: { files: 2, added: 3 },
    })
  })

  it('leaves out earlier commits that were rewritten', async () => {
    const kept = await commit(base, { 'a.txt': '1\n' })
    const rewritten = await commit(kept, { 'b.txt': '1\n' })
    const tip = await commit(kept, { 'b.txt': '2\n' })
    const earlier = { files: ['a.txt', 'b.txt'], commits: [kept, rewritten] }
    expect(await wholeWork(world.hub, projectId, base, collected(tip, ['b.txt']), earlier)).toMatchObject({
      commits: [kept, tip],
    })
  })

  it('names the files of both if git cannot compare, and a person must see it', async () => {
    const tip = await commit(base, { 'b.txt': '1\n' })
    const earlier = { files: ['a.txt'], commits: [] }
    const lost = 'd'.repeat(40)
    const whole = await wholeWork(world.hub, projectId, lost, collected(tip, ['b.txt']), earlier)
    expect(whole).toEqual({ files: ['a.txt', 'b.txt'], commits: [tip], hasChanged: true, size: undefined })
    const asked = { description: '', context: '', files: [], successCriteria: [] }
    expect(changesOf(world, asked, whole)).toEqual({
      files: 2,
      added: 0,
      removed: 0,
      unusual: ['git could not measure how much it changes'],
    })
  })
})

it('finds what is unusual unless it was asked for', async () => {
  const tip = await commit(base, { '.env': 'KEY=1\n' })
  const whole = await wholeWork(world.hub, projectId, base, collected(tip, ['.env']))
  const asked = { description: 'add it', context: '', files: [], successCriteria: [] }
  expect(changesOf(world, asked, whole)).toEqual({
    files: 1,
    added: 1,
    removed: 0,
    unusual: ['it adds files that repositories normally ignore: .env'],
  })
  expect(changesOf(world, { ...asked, description: 'add .env' }, whole).unusual).toEqual([])
})
