import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleChange, ids, storeExampleJob } from '../../../test/support/example-records.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createTestDatabase } from '../../../test/support/test-database.ts'
import { testRepository } from '../../../test/support/test-repository.ts'
import { createLocalDisk } from '../../adapters/disk/local/local-disk.ts'
import { createHub } from '../../adapters/git/hub/create-hub.ts'
import type { Database } from '../../adapters/store/postgres/database.ts'
import { openDatabase } from '../../adapters/store/postgres/open-database.ts'
import { createPostgresStore } from '../../adapters/store/postgres/postgres-store.ts'
import type { Store } from '../../ports/store/store.ts'
import { findWarmWork, warmTrees } from './warm-trees.ts'

let database: Kysely<Database>
let store: Store

beforeAll(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  store = createPostgresStore({ database, sendWork: async () => () => undefined })
})

afterAll(async () => {
  await database.destroy()
})

describe('warm trees', () => {
  it('are kept at the tip of the branch while a job runs, and removed afterwards', async () => {
    await using directory = await temporaryDirectory()
    await using repository = await testRepository()
    const warmDirectory = join(directory.path, 'warm')
    using hub = createHub({
      hubsDirectory: join(directory.path, 'hubs'),
      gitConfigFile: join(directory.path, 'gitconfig'),
      warmDirectory,
    })
    const disk = createLocalDisk()
    await disk.makeDirectory(warmDirectory)
    const projectId = ids.next('project')
    const source = await hub.branches.inspectSource(repository.path)
    const base = source.ok ? await hub.branches.importBase(projectId, source.value, undefined) : source
    if (!base.ok) throw new Error(JSON.stringify(base.failure))
    const baseCommit = base.value.commit
    const running = { type: 'running', pausing: false } as const
    const job = await storeExampleJob(store, { projectId, baseCommit, state: running })
    const settings = { warmTrees: 2, warmDirectory, minimumFreeMb: 1 }
    const needs = (changed: Partial<typeof settings> = {}) =>
      ({ store, ...hub, disk, log: silentLog, settings: { ...settings, ...changed } }) as never
    const pool = () => readdir(join(warmDirectory, projectId)).catch(() => [])

    await warmTrees(needs(), projectId)
    expect(await pool()).toHaveLength(2)
    const moved = await hub.commits.commitFiles(projectId, baseCommit, { 'new.txt': 'new' }, 'more')
    if (!moved.ok) throw new Error(JSON.stringify(moved.failure))
    await hub.branches.move(projectId, job.workingBranch, moved.value, undefined)
    await warmTrees(needs(), projectId)
    const names = await pool()
    expect(names.filter((name) => name.startsWith(moved.value))).toHaveLength(2)

    // There are none if the disk is nearly full or the setting is 0.
    await warmTrees(needs({ minimumFreeMb: 2 ** 40 }), projectId)
    expect(await pool()).toEqual([])
    await warmTrees(needs(), projectId)
    await warmTrees(needs({ warmTrees: 0 }), projectId)
    expect(await pool()).toEqual([])

    await warmTrees(needs(), projectId)
    expect(await findWarmWork(needs(), [])).toEqual([{ type: 'trees-warm', projectId }])
    expect(await findWarmWork(needs(), [job])).toEqual([{ type: 'trees-warm', projectId }])
    await store.transact((records) =>
      records.jobs.save({ ...job, state: { type: 'cancelled', reason: 'enough' } }, exampleChange()),
    )
    await warmTrees(needs(), projectId)
    expect(await pool()).toEqual([])
    expect(await findWarmWork(needs(), [])).toEqual([])
  })
})
