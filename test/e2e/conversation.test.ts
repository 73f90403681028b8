import { access, readdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { WireSession } from '../../src/client/index.ts'
import { acpStage, textsOf, workersOf, workerWhen } from '../support/acp-agent/acp-stage.ts'
import { deeds } from '../support/acp-agent/deed.ts'
import { commit } from '../support/acp-project.ts'
import { processesWith } from '../support/processes.ts'
import { tasksOf } from '../support/run-job.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { until, waitForJob } from '../support/test-daemon.ts'

const isHanging = (session: WireSession) =>
  session.status === 'running' && session.providerSessionId !== undefined

// No test prints as much as the smallest cap, except the one that wants to reach it.
const shared = shareDaemon({ MUSTER_OUTPUT_CAP_MB: '1' })

/** A repository for the shared daemon whose tasks are lists of deeds. */
const stage: typeof acpStage = (tasks, options) => acpStage(tasks, { ...options, home: shared.home })

describe('a conversation with an agent', () => {
  it('ends by itself, with its commit on the branch and its usage counted', async () => {
    await using it = await stage([[{ context: 10 }, commit('a.txt'), { say: 'done' }]])
    const jobId = await it.startJob(shared.client)
    const job = await waitForJob(shared.client, jobId)
    expect(job.status).toBe('completed')
    const worker = (await workersOf(shared.client, jobId))[0]
    expect(worker).toMatchObject({ ending: 'done', processNumber: 1, usage: { costUsd: 0.5 } })
    expect(await it.repository.git('show', `${job.workingBranch}:a.txt`)).toBe('a.txt')
  })

  it('does what a person allowed and not what a person denied, and takes one decision per request', async () => {
    await using it = await stage(
      [[{ ask: 'touch allowed.txt' }, { ask: 'touch denied.txt' }, commit('a.txt'), { say: 'done' }]],
      { permissions: 'ask' },
    )
    const { client } = shared
    const jobId = await it.startJob(client)
    const pending = async () => take(await client.listApprovals({ job: jobId, status: 'pending' })).items
    await until(async () => (await pending()).length === 1)
    const [first] = await pending()
    if (first === undefined) throw new Error('there is no approval')
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
    if (second === undefined) throw new Error('there is no approval')
    const denied = take(await client.denyApproval(second.id, { reason: 'not today' }))
    expect(denied).toMatchObject({ status: 'denied', by: userInfo().username })
    const job = await waitForJob(client, jobId)
    expect(job.status).toBe('completed')
    const files = await it.repository.git('ls-tree', '--name-only', job.workingBranch)
    expect(files.split('\n')).toContain('allowed.txt')
    expect(files.split('\n')).not.toContain('denied.txt')
  })

  it('is denied what no one decides in time', async () => {
    await using it = await acpStage([[{ ask: 'touch late.txt' }, commit('a.txt')]], { permissions: 'ask' })
    const { client } = await it.home.start({ MUSTER_APPROVAL_MINUTES: '0.02' })
    const jobId = await it.startJob(client)
    const job = await waitForJob(client, jobId)
    expect(job.status).toBe('completed')
    const [approval] = take(await client.listApprovals({ job: jobId, status: 'all' })).items
    expect(approval).toMatchObject({ status: 'expired' })
    expect(await it.repository.git('ls-tree', '--name-only', job.workingBranch)).not.toContain('late.txt')
  })

  it('waits after an interrupt, and continues with the next message', async () => {
    await using it = await stage([[{ say: 'waiting' }, { shell: 'true' }, { hang: true }]])
    const { client } = shared
    const jobId = await it.startJob(client)
    const worker = await workerWhen(client, jobId, 1, isHanging)
    await until(async () => (await textsOf(client, worker.id)).includes('waiting'))
    take(await client.interruptSession(worker.id))
    await workerWhen(client, jobId, 1, (session) => session.turn?.type === 'interrupted')
    take(await client.say(worker.id, deeds(commit('b.txt'), { say: 'told %told% times' })))
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    expect(await textsOf(client, worker.id)).toContain('told 2 times')
  })

  it('is suspended, and resumed in a new process that remembers it', async () => {
    await using it = await stage([[{ say: 'waiting' }, { shell: 'true' }, { hang: true }]])
    const { client } = shared
    const jobId = await it.startJob(client)
    const worker = await workerWhen(client, jobId, 1, isHanging)
    take(await client.suspendSession(worker.id))
    await workerWhen(client, jobId, 1, (session) => session.suspended?.hasExited === true)
    expect(await processesWith(join(it.home.home, 'trees'))).toEqual([])
    take(
      await client.resumeSession(worker.id, { prompt: deeds(commit('c.txt'), { say: 'told %told% times' }) }),
    )
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    expect((await workersOf(client, jobId))[0]).toMatchObject({
      id: worker.id,
      processNumber: 2,
      ending: 'done',
    })
    expect(await textsOf(client, worker.id)).toContain('told 2 times')
  })

  it('is parked while it is out of quota, which is not a failed attempt', async () => {
    await using it = await stage([[{ limitMs: 1_000 }, commit('d.txt'), { say: 'told %told% times' }]])
    const { client } = shared
    const jobId = await it.startJob(client)
    const parked = await workerWhen(client, jobId, 1, (session) => session.status === 'suspended')
    expect(parked.suspended).toMatchObject({ why: 'limited' })
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    expect((await workersOf(client, jobId))[0]).toMatchObject({
      id: parked.id,
      processNumber: 2,
      ending: 'done',
    })
    const [task] = await tasksOf(client, jobId)
    expect(task).toMatchObject({ retryCount: 0 })
  })

  it('waits for the person while its log-in is refused, and tries again when the job is resumed', async () => {
    await using it = await stage([[{ badKey: true }, commit('k.txt'), { say: 'told %told% times' }]])
    const { client } = shared
    const jobId = await it.startJob(client)
    const worker = await workerWhen(client, jobId, 1, (session) => session.suspended?.hasExited === true)
    expect(worker.suspended).toMatchObject({ why: 'unready', reason: expect.stringContaining('wrong key') })
    const { waiting } = take(await client.status())
    expect(waiting).toContainEqual(
      expect.objectContaining({ jobId, waitsFor: 'person', next: `muster resume ${jobId}` }),
    )
    take(await client.resumeJob(jobId))
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    expect((await workersOf(client, jobId)).map(({ id, processNumber }) => [id, processNumber])).toEqual([
      [worker.id, 2],
    ])
    expect(await textsOf(client, worker.id)).toContain('told 2 times')
    const [task] = await tasksOf(client, jobId)
    expect(task).toMatchObject({ retryCount: 0 })
  })

  it('has crashed if its program exits in the middle of a turn, whatever the exit code', async () => {
    await using it = await stage([[commit('e.txt'), { exit: 0 }]])
    const jobId = await it.startJob(shared.client)
    await waitForJob(shared.client, jobId)
    expect((await workersOf(shared.client, jobId))[0]).toMatchObject({ ending: 'crashed' })
    const [task] = await tasksOf(shared.client, jobId)
    expect(task).toMatchObject({ status: 'blocked', retryCount: 1 })
  })

  it('can be queried after it has ended', async () => {
    await using it = await stage([[commit('f.txt'), { say: 'done' }]])
    const { client } = shared
    const jobId = await it.startJob(client)
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

  it('continues in a new process when its spool is full', async () => {
    await using it = await stage([[]])
    const { client } = shared
    const prompt = deeds({ say: 'ready' })
    const opened = { repositoryPath: it.repository.path, agent: 'acp', mode: 'headless', prompt } as const
    const { id } = take(await client.openSession(opened))
    await until(async () => (await textsOf(client, id)).includes('ready'))
    take(await client.say(id, deeds({ flood: 1_500 }, { say: 'lost' })))
    await until(async () => (await textsOf(client, id)).includes('I was told 3 things'))
    expect(take(await client.getSession(id))).toMatchObject({ status: 'running', processNumber: 2 })
    take(await client.stopSession(id, {}))
  })

  it('keeps its work on its own branch if a person opened it outside a job', async () => {
    await using it = await stage([[]])
    const { client } = shared
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
    // A later query finds the work, and cleaning up after the query does not remove it.
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
