import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
import { GIVE_UP_AFTER_MS } from '../../../domain/limits/retry-limits.ts'
import { USUAL_SANDBOX } from '../../../domain/session/sandbox-policy.ts'
import type { PurposeOf } from '../../../domain/session/session-purpose.ts'
import type { Store } from '../../../ports/store/store.ts'
import type { EngineSettings } from '../../engine-needs.ts'
import { planOf } from './plan-of.ts'
import type { ClearNeeds, PlanNeeds } from './session-plan.ts'

type Files = Readonly<Record<string, string>>

const AGENT = { name: 'one', provider: 'command', roles: [], env: [] }
const run = promisify(execFile)
let database: Kysely<Database>
let store: Store

beforeAll(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  store = createPostgresStore({ database, sendWork: async () => () => undefined })
})

afterAll(() => database.destroy())

/** A personal session that has ended, in its tree. */
async function openScene(fields: Partial<PurposeOf<'personal'>> = {}, files: Files = { 'a.txt': 'one\n' }) {
  const parts = new AsyncDisposableStack()
  const home = parts.use(await temporaryDirectory())
  const repository = parts.use(await testRepository(files))
  const places = { hubsDirectory: join(home.path, 'hubs'), gitConfigFile: join(home.path, 'gitconfig') }
  const hub = parts.use(createHub(places))
  const projectId = ids.next('project')
  const source = await hub.branches.inspectSource(repository.path)
  const base = source.ok ? await hub.branches.importBase(projectId, source.value, undefined) : source
  if (!base.ok) throw new Error(JSON.stringify(base.failure))
  const { jobId: _, ...session } = exampleSession(exampleJob(), {
    state: { type: 'terminated', end: { type: 'exited', code: 0 } },
    endedAt: new Date(),
    purpose: {
      type: 'personal',
      projectId,
      repositoryPath: repository.path,
      baseCommit: base.value.commit,
      branch: 'muster/mine',
      agent: AGENT,
      sandbox: USUAL_SANDBOX,
      prompt: 'grow',
      ...fields,
    },
  })
  await store.transact((records) => records.sessions.insert(session, exampleChange()))
  const settings: Partial<EngineSettings> = { treesDirectory: join(home.path, 'trees') }
  const disk = createLocalDisk()
  const clock = { time: new Date(), now: () => clock.time }
  const needs = { store, ...hub, disk, clock, log: silentLog, settings } as unknown as ClearNeeds & PlanNeeds
  const plan = planOf(session)
  const workplace = await plan.findWorkplace(needs)
  if (workplace === undefined) throw new Error('it has no workplace')
  const { tree } = workplace
  const opened = await hub.trees.open(tree)
  expect(opened.ok).toBe(true)
  return {
    ...{ session, plan, needs, hub, repository, disk, clock, projectId },
    directory: tree.directory,
    write: (name: string, text: string) => writeFile(join(tree.directory, name), text),
    purpose: async () => {
      const stored = await store.read.sessions.find(session.id)
      if (stored?.purpose.type !== 'personal') throw new Error('it is gone')
      return stored.purpose
    },
    events: async () => {
      const { rows } = await sql<{ type: string; data: unknown }>`
        select type, data from events where stream_id = ${session.id} order by seq`.execute(database)
      return rows
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

describe('the work of a personal session', () => {
  it('is kept on its branch and its tree is removed, but not while it is asked', async () => {
    await using scene = await openScene()
    const { session, plan, needs, repository, disk, directory } = scene
    const { jobId: _, ...query } = exampleSession(exampleJob(), {
      purpose: { type: 'query', of: session.id, question: 'why?', agent: AGENT, timeMs: 1_000 },
    })
    await store.transact((records) => records.sessions.insert(query, exampleChange()))
    await scene.write('b.txt', 'two\n')

    expect(await plan.isNeeded(needs)).toBe(true)
    const ended = { type: 'terminated', end: { type: 'exited', code: 0 } } as const
    await store.transact((records) => records.sessions.save({ ...query, state: ended }, exampleChange()))
    expect(await plan.isNeeded(needs)).toBe(false)
    await plan.clear(needs)

    expect(await repository.git('show', 'muster/mine:b.txt')).toBe('two')
    expect(await disk.exists(directory)).toBe(false)
    const tip = await repository.git('rev-parse', 'muster/mine')
    expect(await scene.purpose()).toMatchObject({ tip })
    expect(await scene.events()).toMatchObject([
      { type: 'session_delivered', data: { branch: 'muster/mine', commit: tip } },
    ])
    // A question to it is asked where it left things.
    const stored = await store.read.sessions.find(session.id)
    const later = stored === undefined ? undefined : await planOf(stored).findWorkplace(needs)
    expect(later?.tree.commit).toBe(tip)
  })

  it('leaves no branch and no event if it changed nothing', async () => {
    await using scene = await openScene()
    await scene.plan.clear(scene.needs)
    expect(await scene.repository.git('branch', '--list', 'muster/*')).toBe('')
    const { tip, baseCommit, undelivered } = await scene.purpose()
    expect({ tip, undelivered }).toEqual({ tip: baseCommit, undelivered: undefined })
    expect(await scene.events()).toEqual([])
  })

  const MANY = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.txt`, `${index}\n`]))
  type Scene = Awaited<ReturnType<typeof openScene>>
  const refusals: Readonly<Record<string, readonly [string, (scene: Scene) => Promise<void>]>> = {
    'a .gitmodules that git rejects': [
      'git rejects its .gitmodules',
      ({ write }) => write('.gitmodules', '[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch evil\n'),
    ],
    'a tree that lacks most of its files': [
      'files are missing from its working tree',
      async ({ directory }) => {
        for (const name of Object.keys(MANY)) await rm(join(directory, name))
      },
    ],
    'a committed copy of a file that must not be published': [
      'the agent committed .env',
      async ({ directory, write }) => {
        await write('.env', 'KEY=1\n')
        const git = (...words: string[]) => run('git', ['-C', directory, ...words])
        await git('add', '--force', '.env')
        await git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'takes it along')
      },
    ],
  }
  it.each(Object.entries(refusals))('is pinned but not delivered with %s', async (_, [reason, spoil]) => {
    await using scene = await openScene({ copy: ['.env'] }, MANY)
    await spoil(scene)
    await scene.plan.clear(scene.needs)

    expect(await scene.repository.git('branch', '--list', 'muster/*')).toBe('')
    const { tip, undelivered } = await scene.purpose()
    expect(undelivered).toEqual({ type: 'refused', reason: expect.stringContaining(reason) })
    expect(await scene.hub.pins.list(scene.projectId)).toMatchObject({
      value: [{ id: scene.session.id, commit: tip, refusal: undelivered?.reason }],
    })
    expect(await scene.events()).toMatchObject([
      { type: 'session_undelivered', data: { why: 'refused', reason: undelivered?.reason } },
    ])
    expect(await scene.disk.exists(scene.directory)).toBe(false)
  })

  it('is delivered later if the branch is in use, and its problem is stored until then', async () => {
    await using scene = await openScene()
    const { plan, needs, repository } = scene
    await repository.git('switch', '--quiet', '--create', 'muster/mine')
    await scene.write('b.txt', 'two\n')
    await plan.clear(needs)
    await plan.clear(needs)

    expect((await scene.purpose()).undelivered).toEqual({
      type: 'failed',
      reason: expect.stringContaining('branch muster/mine could not be delivered to your repository'),
    })
    expect(await scene.events()).toMatchObject([{ type: 'session_undelivered', data: { why: 'failed' } }])
    // The reconciler finds the tree and clears up again.
    expect(await scene.disk.exists(scene.directory)).toBe(true)

    await repository.git('switch', '--quiet', 'main')
    await plan.clear(needs)
    expect(await repository.git('show', 'muster/mine:b.txt')).toBe('two')
    expect((await scene.purpose()).undelivered).toBeUndefined()
    expect((await scene.events()).map(({ type }) => type)).toEqual([
      'session_undelivered',
      'session_delivered',
    ])
    expect(await scene.disk.exists(scene.directory)).toBe(false)
  })

  it('stays pinned, without its tree, if it cannot be delivered for long', async () => {
    await using scene = await openScene()
    await scene.repository.git('switch', '--quiet', '--create', 'muster/mine')
    await scene.write('b.txt', 'two\n')
    scene.clock.time = new Date(Date.now() + GIVE_UP_AFTER_MS)
    await scene.plan.clear(scene.needs)
    expect(await scene.disk.exists(scene.directory)).toBe(false)
    const { tip, undelivered } = await scene.purpose()
    expect(undelivered?.type).toBe('failed')
    expect(await scene.hub.pins.list(scene.projectId)).toMatchObject({ value: [{ commit: tip }] })
  })
})
