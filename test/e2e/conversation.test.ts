import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { MusterClient, WireSession } from '../../src/client/index.ts'
import { CRASH_POINTS } from '../../src/ports/crash-points.ts'
import { type Deed, deeds } from '../support/acp-agent/deed.ts'
import { acpProject, commit } from '../support/acp-project.ts'
import { processesWith } from '../support/processes.ts'
import { type TestDaemon, testHome, until, waitForJob } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

/** A daemon and a repository whose one worker does these things. */
async function stage(
  list: readonly (readonly Deed[])[],
  options: {
    readonly permissions?: 'ask' | 'bypass'
    readonly limits?: object
    readonly environment?: Readonly<Record<string, string>>
  } = {},
) {
  const stack = new AsyncDisposableStack()
  const home = stack.use(await testHome())
  const memory = join(home.home, 'acp-memory')
  const repository = stack.use(await testRepository(acpProject(list, { ...options, memory })))
  const daemon = await home.start(options.environment)
  return { home, repository, daemon, memory, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

async function startGoal(daemon: TestDaemon, repository: TestRepository): Promise<string> {
  const started = await daemon.client.startJob({
    repositoryPath: repository.path,
    requestDocument: 'Do what the tasks say.',
  })
  if (!started.ok) throw new Error(started.failure.message)
  return started.value.id
}

async function workerOf(client: MusterClient, jobId: string): Promise<WireSession | undefined> {
  const sessions = await client.listSessions({ job: jobId, role: 'worker' })
  if (!sessions.ok) throw new Error(sessions.failure.message)
  return sessions.value.items[0]
}

async function workerWhen(
  client: MusterClient,
  jobId: string,
  isWanted: (session: WireSession) => boolean,
): Promise<WireSession> {
  let seen: WireSession | undefined
  await until(async () => {
    seen = await workerOf(client, jobId)
    return seen !== undefined && isWanted(seen)
  })
  if (seen === undefined) throw new Error('there is no worker')
  return seen
}

/** What the agent said in a session, in order. */
async function textsOf(client: MusterClient, sessionId: string): Promise<readonly string[]> {
  const events = await client.listSessionEvents(sessionId, { limit: 500 })
  if (!events.ok) throw new Error(events.failure.message)
  return events.value.items.flatMap(({ data }) => (data['type'] === 'text' ? [String(data['text'])] : []))
}

function take<Value>(
  answer: { ok: true; value: Value } | { ok: false; failure: { message: string } },
): Value {
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.value
}

const isHanging = (session: WireSession) =>
  session.status === 'running' && session.providerSessionId !== undefined

describe('a conversation with an agent', () => {
  it('brings its commit to the branch, counts what it used, and ends by itself', async () => {
    await using it = await stage([[{ context: 10 }, commit('a.txt'), { say: 'done' }]], {
      permissions: 'bypass',
    })
    const jobId = await startGoal(it.daemon, it.repository)
    const job = await waitForJob(it.daemon.client, jobId)
    expect(job.status).toBe('completed')
    const worker = await workerOf(it.daemon.client, jobId)
    expect(worker).toMatchObject({ ending: 'done', life: 1, usage: { costUsd: 0.5 } })
    expect(await it.repository.git('show', `${job.workingBranch}:a.txt`)).toBe('a.txt')
  })

  it('asks before it acts: what is allowed happens, what is denied does not, each decision counts once', async () => {
    await using it = await stage([
      [{ ask: 'touch allowed.txt' }, { ask: 'touch denied.txt' }, commit('a.txt'), { say: 'done' }],
    ])
    const { client } = it.daemon
    const jobId = await startGoal(it.daemon, it.repository)
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
    const jobId = await startGoal(it.daemon, it.repository)
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
    const jobId = await startGoal(it.daemon, it.repository)
    const worker = await workerWhen(client, jobId, isHanging)
    await until(async () => (await textsOf(client, worker.id)).includes('waiting'))
    take(await client.interruptSession(worker.id))
    await workerWhen(client, jobId, (session) => session.turn?.type === 'interrupted')
    take(await client.say(worker.id, deeds(commit('b.txt'), { say: 'told %told% times' })))
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    expect(await textsOf(client, worker.id)).toContain('told 2 times')
  })

  it('rests and goes on in a new process that remembers', async () => {
    await using it = await stage([[{ say: 'waiting' }, { shell: 'true' }, { hang: true }]], {
      permissions: 'bypass',
    })
    const { client } = it.daemon
    const jobId = await startGoal(it.daemon, it.repository)
    const worker = await workerWhen(client, jobId, isHanging)
    take(await client.suspendSession(worker.id))
    await workerWhen(client, jobId, (session) => session.suspended?.isOver === true)
    expect(await processesWith(join(it.home.home, 'trees'))).toEqual([])
    take(
      await client.resumeSession(worker.id, { prompt: deeds(commit('c.txt'), { say: 'told %told% times' }) }),
    )
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    expect(await workerOf(client, jobId)).toMatchObject({ id: worker.id, life: 2, ending: 'done' })
    expect(await textsOf(client, worker.id)).toContain('told 2 times')
  })

  it('that is out of quota rests until it has some, and is no failed attempt', async () => {
    await using it = await stage([[{ limitMs: 2_000 }, commit('d.txt'), { say: 'told %told% times' }]], {
      permissions: 'bypass',
    })
    const { client } = it.daemon
    const jobId = await startGoal(it.daemon, it.repository)
    const parked = await workerWhen(client, jobId, (session) => session.status === 'suspended')
    expect(parked.suspended).toMatchObject({ why: 'limited' })
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    expect(await workerOf(client, jobId)).toMatchObject({ id: parked.id, life: 2, ending: 'done' })
    const [task] = take(await client.listTasks({ job: jobId })).items
    expect(task).toMatchObject({ retryCount: 0 })
  })

  it('whose program goes without a word has crashed, whatever its exit code', async () => {
    await using it = await stage([[commit('e.txt'), { exit: 0 }]], { permissions: 'bypass' })
    const jobId = await startGoal(it.daemon, it.repository)
    await waitForJob(it.daemon.client, jobId)
    expect(await workerOf(it.daemon.client, jobId)).toMatchObject({ ending: 'crashed' })
    const [task] = take(await it.daemon.client.listTasks({ job: jobId })).items
    expect(task).toMatchObject({ status: 'blocked', retryCount: 1 })
  })

  it('can be asked, when it is over, what it knows', async () => {
    await using it = await stage([[commit('f.txt'), { say: 'done' }]], { permissions: 'bypass' })
    const { client } = it.daemon
    const jobId = await startGoal(it.daemon, it.repository)
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

  it('goes on where it was when the daemon is killed, with nothing said or done twice', async () => {
    const list = [
      ...Array.from({ length: 12 }, (_, n): Deed => ({ shell: `sleep 0.3; echo ${n} >> log.txt` })),
      { shell: 'git add log.txt && git commit -qm "Add log"' },
      { say: 'told %told% times' },
    ]
    await using it = await stage([list], { permissions: 'bypass' })
    const jobId = await startGoal(it.daemon, it.repository)
    let { daemon } = it
    for (let kill = 0; kill < 6; kill += 1) {
      await sleep(100 + kill * 150)
      await daemon.kill()
      daemon = await it.home.start()
    }
    const job = await waitForJob(daemon.client, jobId)
    expect(job.status).toBe('completed')
    const worker = await workerOf(daemon.client, jobId)
    expect(worker).toMatchObject({ life: 1, ending: 'done' })
    expect(await textsOf(daemon.client, worker?.id ?? '')).toEqual(['told 1 times'])
    const lines = (await it.repository.git('show', `${job.workingBranch}:log.txt`)).split('\n')
    expect(lines).toEqual(Array.from({ length: 12 }, (_, n) => String(n)))
    const memories = await readFile(join(it.memory, `${worker?.providerSessionId}.jsonl`), 'utf8')
    expect(memories.trimEnd().split('\n')).toHaveLength(1)
  }, 180_000)

  const points = CRASH_POINTS.filter((name) => name.startsWith('talk.') && name !== 'talk.before-heir')
  it.each(points)(
    'goes on after a death of the daemon at %s',
    async (point) => {
      const list = [
        { ask: 'touch asked.txt' },
        { limitMs: 1_000 },
        commit('h.txt'),
        { say: 'told %told% times' },
      ]
      await using it = await stage([list], { environment: { MUSTER_CRASH_AT: `${point}:1` } })
      const jobId = await startGoal(it.daemon, it.repository)
      let { daemon } = it
      const allowAll = async () => {
        const asked = await daemon.client.listApprovals({ job: jobId, status: 'pending' })
        if (!asked.ok) return
        for (const { id } of asked.value.items) await daemon.client.allowApproval(id)
      }
      await until(async () => {
        if (daemon.process.signalCode !== null) return true
        await allowAll()
        return false
      })
      daemon = await it.home.start()
      let status = ''
      await until(async () => {
        await allowAll()
        const job = await daemon.client.getJob(jobId)
        status = job.ok ? job.value.status : ''
        return !['pending', 'running', ''].includes(status)
      }, 60_000)
      expect(status).toBe('completed')
      const worker = await workerOf(daemon.client, jobId)
      expect(worker).toMatchObject({ life: 2, ending: 'done' })
      expect(await textsOf(daemon.client, worker?.id ?? '')).toEqual(['told 2 times'])
    },
    120_000,
  )
})
