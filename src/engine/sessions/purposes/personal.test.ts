import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exampleChange, exampleJob, exampleSession, ids } from '../../../../test/support/example-records.ts'
import { silentLog } from '../../../../test/support/silent-log.ts'
import { temporaryDirectory } from '../../../../test/support/temporary-directory.ts'
import { createTestDatabase } from '../../../../test/support/test-database.ts'
import { testRepository } from '../../../../test/support/test-repository.ts'
import { createLocalDisk } from '../../../adapters/disk/local/local-disk.ts'
import { createHub } from '../../../adapters/git/hub/create-hub.ts'
import type { Database } from '../../../adapters/store/postgres/database.ts'
import { openDatabase } from '../../../adapters/store/postgres/open-database.ts'
import { createPostgresStore } from '../../../adapters/store/postgres/postgres-store.ts'
import { USUAL_SANDBOX } from '../../../domain/session/sandbox-policy.ts'
import type { Store } from '../../../ports/store/store.ts'
import type { EngineSettings } from '../../engine-needs.ts'
import { planOf } from './plan-of.ts'
import type { ClearNeeds, PlanNeeds } from './session-plan.ts'

let database: Kysely<Database>
let store: Store

beforeAll(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  store = createPostgresStore({ database, sendWork: async () => () => undefined })
})

afterAll(() => database.destroy())

it('keeps the work of a personal session on its branch and removes the tree, but not while it is asked', async () => {
  await using home = await temporaryDirectory()
  await using repository = await testRepository({ 'a.txt': 'one\n' })
  using hub = createHub({
    hubsDirectory: join(home.path, 'hubs'),
    gitConfigFile: join(home.path, 'gitconfig'),
  })
  const projectId = ids.next('project')
  const source = await hub.branches.inspectSource(repository.path)
  const base = source.ok ? await hub.branches.importBase(projectId, source.value, undefined) : source
  if (!base.ok) throw new Error(JSON.stringify(base.failure))
  const agent = { name: 'one', provider: 'command', roles: [], env: [] }
  const { jobId: _, ...session } = exampleSession(exampleJob(), {
    state: { type: 'terminated', end: { type: 'exited', code: 0 } },
    purpose: {
      type: 'personal',
      projectId,
      repositoryPath: repository.path,
      baseCommit: base.value.commit,
      branch: 'muster/mine',
      agent,
      sandbox: USUAL_SANDBOX,
      prompt: 'grow',
    },
  })
  const { jobId: __, ...query } = exampleSession(exampleJob(), {
    purpose: { type: 'query', of: session.id, question: 'why?', agent, timeMs: 1_000 },
  })
  await store.transact(async (records) => {
    await records.sessions.insert(session, exampleChange())
    await records.sessions.insert(query, exampleChange())
  })
  const settings: Partial<EngineSettings> = { treesDirectory: join(home.path, 'trees') }
  const disk = createLocalDisk()
  const needs = { store, ...hub, disk, log: silentLog, settings } as unknown as ClearNeeds & PlanNeeds
  const plan = planOf(session)
  const workplace = await plan.findWorkplace(needs)
  if (workplace === undefined) throw new Error('it has no workplace')
  const opened = await hub.trees.open(workplace.tree)
  expect(opened.ok).toBe(true)
  await writeFile(join(workplace.tree.directory, 'b.txt'), 'two\n')

  expect(await plan.isNeeded(needs)).toBe(true)
  const ended = { type: 'terminated', end: { type: 'exited', code: 0 } } as const
  await store.transact((records) => records.sessions.save({ ...query, state: ended }, exampleChange()))
  expect(await plan.isNeeded(needs)).toBe(false)
  await plan.clear(needs)

  expect(await repository.git('show', 'muster/mine:b.txt')).toBe('two')
  expect(await disk.exists(workplace.tree.directory)).toBe(false)
  const stored = await store.read.sessions.find(session.id)
  const tip = await repository.git('rev-parse', 'muster/mine')
  expect(stored?.purpose).toMatchObject({ tip })
  // A question to it is asked where it left things.
  const later = stored === undefined ? undefined : await planOf(stored).findWorkplace(needs)
  expect(later?.tree.commit).toBe(tip)
})
