import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireSession } from '../../src/client/index.ts'
import {
  type AcpStageOptions,
  acpStage,
  take,
  textsOf,
  workersOf,
  workerWhen,
} from '../support/acp-agent/acp-stage.ts'
import { type Deed, deeds } from '../support/acp-agent/deed.ts'
import { commit } from '../support/acp-project.ts'
import { processesWith } from '../support/processes.ts'
import { quickHome } from '../support/quick-home.ts'
import { type TestDaemon, type TestHome, until, waitForJob } from '../support/test-daemon.ts'

const isHanging = (session: WireSession) =>
  session.status === 'running' && session.providerSessionId !== undefined

let home: TestHome
let sharedDaemon: TestDaemon

beforeAll(async () => {
  home = await quickHome()
  sharedDaemon = await home.start()
})

afterAll(() => home[Symbol.asyncDispose]())

/** A repository whose one worker does these things; with an environment also a daemon of its own. */
async function stage(
  tasks: readonly (readonly Deed[])[],
  {
    environment,
    ...options
  }: AcpStageOptions & { readonly environment?: Readonly<Record<string, string>> } = {},
) {
  const own = environment === undefined ? { home } : {}
  const it = await acpStage(tasks, { permissions: 'ask', ...options, ...own })
  return { ...it, daemon: environment === undefined ? sharedDaemon : await it.home.start(environment) }
}

describe('a conversation with an agent', () => {
  it('brings its commit to the branch, counts what it used, and ends by itself', async () => {
    await using it = await stage([[{ context: 10 }, commit('a.txt'), { say: 'done' }]], {
      permissions: 'bypass',
    })
    const jobId = await it.startJob(it.daemon.client)
    const job = await waitForJob(it.daemon.client, jobId)
    expect(job.status).toBe('completed')
    const worker = (await workersOf(it.daemon.client, jobId))[0]
    expect(worker).toMatchObject({ ending: 'done', life: 1, usage: { costUsd: 0.5 } })
    expect(await it.repository.git('show', `${job.workingBranch}:a.txt`)).toBe('a.txt')
  })

  it('asks before it acts: what is allowed happens, what is denied does not, each decision counts once', async () => {
    await using it = await stage([
      [{ ask: 'touch allowed.txt' }, { ask: 'touch denied.txt' }, commit('a.txt'), { say: 'done' }],
    ])
    const { client } = it.daemon
    const jobId = await it.startJob(it.daemon.client)
    const pending = async () => take(await client.listApprovals({ job: jobId, status: 'pending' })).items
    await until(async () => (await pending()).length === 1)
    const [first] = await pending()
    if (first === undefined) throw new Error('nothing was asked')
    expect(first.action).toMatchObject({ input: { command: 'touch allowed.txt' } })
    const forged = await client.allowApproval(first.id, { digest: '0'.repeat(64) })
    expect(forged).toMatchObject({ ok: false, failure: { type: 'digest-mismatch' } })
    take(await client.allowApproval(first.id, { digest: first.digest }))
    expect(await client.denyApproval(first.id)).toMatchObject({
      ok: false,
      failure: { type: 'approval-decided' },
    })
    await until(async () => (await pending()).some((approval) => approval.id !== first.id))
    const second = (await pending())[0]
    if (second === undefined) throw new Error('nothing was asked')
    take(await client.denyApproval(second.id, { reason: 'not today' }))
    const job = await waitForJob(client, jobId)
    expect(job.status).toBe('completed')
    const files = await it.repository.git('ls-tree', '--name-only', job.workingBranch)
    expect(files.split('\n')).toContain('allowed.txt')
    expect(files.split('\n')).not.toContain('denied.txt')
  })

  it('is told no when nobody decides in time', async () => {
    await using it = await stage([[{ ask: 'touch late.txt' }, commit('a.txt')]], {
      environment: { MUSTER_APPROVAL_MINUTES: '0.02' },
    })
    const jobId = await it.startJob(it.daemon.client)
    const job = await waitForJob(it.daemon.client, jobId)
    expect(job.status).toBe('completed')
    const [approval] = take(await it.daemon.client.listApprovals({ job: jobId, status: 'all' })).items
    expect(approval).toMatchObject({ status: 'expired' })
    expect(await it.repository.git('ls-tree', '--name-only', job.workingBranch)).not.toContain('late.txt')
  })

  it('is interrupted, waits, and goes on with what it is told next', async () => {
    await using it = await stage([[{ say: 'waiting' }, { shell: 'true' }, { hang: true }]], {
      permissions: 'bypass',
    })
    const { client } = it.daemon
    const jobId = await it.startJob(it.daemon.client)
    const worker = await workerWhen(client, jobId, 1, isHanging)
    await until(async () => (await textsOf(client, worker.id)).includes('waiting'))
    take(await client.interruptSession(worker.id))
    await workerWhen(client, jobId, 1, (session) => session.turn?.type === 'interrupted')
    take(await client.say(worker.id, deeds(commit('b.txt'), { say: 'told %told% times' })))
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    expect(await textsOf(client, worker.id)).toContain('told 2 times')
  })

  it('rests and goes on in a new process that remembers', async () => {
    await using it = await stage([[{ say: 'waiting' }, { shell: 'true' }, { hang: true }]], {
      permissions: 'bypass',
    })
    const { client } = it.daemon
    const jobId = await it.startJob(it.daemon.client)
    const worker = await workerWhen(client, jobId, 1, isHanging)
    take(await client.suspendSession(worker.id))
    await workerWhen(client, jobId, 1, (session) => session.suspended?.isOver === true)
    expect(await processesWith(join(it.home.home, 'trees'))).toEqual([])
    take(
      await client.resumeSession(worker.id, { prompt: deeds(commit('c.txt'), { say: 'told %told% times' }) }),
    )
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    expect((await workersOf(client, jobId))[0]).toMatchObject({ id: worker.id, life: 2, ending: 'done' })
    expect(await textsOf(client, worker.id)).toContain('told 2 times')
  })

  it('that is out of quota rests until it has some, and is no failed attempt', async () => {
    await using it = await stage([[{ limitMs: 2_000 }, commit('d.txt'), { say: 'told %told% times' }]], {
      permissions: 'bypass',
    })
    const { client } = it.daemon
    const jobId = await it.startJob(it.daemon.client)
    const parked = await workerWhen(client, jobId, 1, (session) => session.status === 'suspended')
    expect(parked.suspended).toMatchObject({ why: 'limited' })
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    expect((await workersOf(client, jobId))[0]).toMatchObject({ id: parked.id, life: 2, ending: 'done' })
    const [task] = take(await client.listTasks({ job: jobId })).items
    expect(task).toMatchObject({ retryCount: 0 })
  })

  it('whose program goes without a word has crashed, whatever its exit code', async () => {
    await using it = await stage([[commit('e.txt'), { exit: 0 }]], { permissions: 'bypass' })
    const jobId = await it.startJob(it.daemon.client)
    await waitForJob(it.daemon.client, jobId)
    expect((await workersOf(it.daemon.client, jobId))[0]).toMatchObject({ ending: 'crashed' })
    const [task] = take(await it.daemon.client.listTasks({ job: jobId })).items
    expect(task).toMatchObject({ status: 'blocked', retryCount: 1 })
  })

  it('can be asked, when it is over, what it knows', async () => {
    await using it = await stage([[commit('f.txt'), { say: 'done' }]], { permissions: 'bypass' })
    const { client } = it.daemon
    const jobId = await it.startJob(it.daemon.client)
    await waitForJob(client, jobId)
    const asked = await client.askSession({
      role: 'worker',
      job: jobId,
      question: 'How often were you told?',
    })
    const query = take(asked)
    let answer: WireSession | undefined
    await until(async () => {
      answer = take(await client.getSession(query.id))
      return answer.status === 'terminated'
    })
    expect(answer?.turn).toEqual({ type: 'done', text: 'I was told 2 things' })
    await until(async () => (await processesWith(join(it.home.home, 'trees'))).length === 0)
  })

  it('that fills its spool goes on in a new life, and is heard again', async () => {
    await using it = await stage([[]], { permissions: 'bypass', environment: { MUSTER_OUTPUT_CAP_MB: '1' } })
    const { client } = it.daemon
    const prompt = deeds({ say: 'ready' })
    const opened = { repositoryPath: it.repository.path, agent: 'acp', mode: 'headless', prompt } as const
    const { id } = take(await client.openSession(opened))
    await until(async () => (await textsOf(client, id)).includes('ready'))
    take(await client.say(id, deeds({ flood: 1_500 }, { say: 'lost' })))
    await until(async () => (await textsOf(client, id)).includes('I was told 3 things'))
    expect(take(await client.getSession(id))).toMatchObject({ status: 'running', life: 2 })
    take(await client.stopSession(id, {}))
  })

  it('of a person outside of any job keeps its work on a branch of its own', async () => {
    await using it = await stage([[]], { permissions: 'bypass' })
    const { client } = it.daemon
    const opened = await client.openSession({
      repositoryPath: it.repository.path,
      agent: 'acp',
      mode: 'headless',
      prompt: deeds(commit('g.txt'), { say: 'told %told% times' }),
    })
    const session = take(opened)
    const seen = async () => take(await client.getSession(session.id))
    await until(async () => (await seen()).turn?.type === 'done')
    take(await client.say(session.id, deeds({ say: 'told %told% times' })))
    await until(async () => (await textsOf(client, session.id)).includes('told 2 times'))
    take(await client.stopSession(session.id, {}))
    await until(async () => (await seen()).status === 'terminated')
    const kept = () =>
      it.repository.git('show', `muster/${session.id}:g.txt`).then(
        () => true,
        () => false,
      )
    await until(kept)
    // Asked later, it finds what it left, and clearing away after the question takes nothing back.
    const question = deeds({ shell: 'test -f g.txt && touch "$ACP_MEMORY/found"' })
    take(await client.askSession({ sessionId: session.id, question }))
    await until(() =>
      access(join(it.memory, 'found')).then(
        () => true,
        () => false,
      ),
    )
    await until(async () => (await readdir(join(it.home.home, 'trees'))).length === 0)
    expect(await kept()).toBe(true)
  })
})
