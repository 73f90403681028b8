import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MusterClient, WireMerge } from '../../src/client/index.ts'
import { acpStage, workersOf, workerWhen } from '../support/acp-agent/acp-stage.ts'
import { deeds } from '../support/acp-agent/deed.ts'
import { commit } from '../support/acp-project.ts'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { attemptsOf, handOver } from '../support/handoff.ts'
import { processesWith } from '../support/processes.ts'
import { quickHome } from '../support/quick-home.ts'
import { approveLines, expectRevisedTwice, reviewedProject } from '../support/reviewed-project.ts'
import { runJob, startJob, tasksOf } from '../support/run-job.ts'
import { APPROVED, outcomesOf, REVISION, runProject, WRITE } from '../support/run-project.ts'
import { take } from '../support/take.ts'
import { until, waitForJob } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

/** Without a task list: with one, a merge would add a commit that takes it off the branch. */
const oneFile = (checks?: readonly string[]) =>
  shellProject([{ description: 'write the file', script: commitFile('one.txt', 'one') }], {
    taskList: 'none',
    ...(checks === undefined ? {} : { checks }),
  })

describe('a job that reviews everything', () => {
  it.each(['run.before-route:3', 'run.after-visit:2'])('ends the same after a death at %s', async (point) => {
    await using home = await quickHome()
    await using repository = await testRepository(reviewedProject(approveLines(3)))
    const dying = await home.start({ MUSTER_CRASH_AT: point })
    const jobId = await startJob(dying.client, repository)
    await until(() => dying.process.signalCode === 'SIGKILL')
    const { client } = await home.start()
    await expectRevisedTwice(client, repository, jobId)
  })
})

describe('a run of a playbook', () => {
  const review = `if [ "$(grep -c . work.txt)" -ge 2 ]; then ${APPROVED}; else ${REVISION}; fi`
  const REVISED = [
    'implement: done',
    'check: pass',
    'review: NEEDS_REVISION',
    'revise: done',
    'check: pass',
    'review: APPROVED',
  ]

  it.each(['run.before-route:1', 'run.before-route:4', 'run.after-visit:1', 'run.after-visit:2'])(
    'enters every stage once, whatever dies at %s',
    async (point) => {
      await using home = await quickHome()
      await using repository = await testRepository(runProject({ developer: WRITE, reviewer: review }))
      const dying = await home.start({ MUSTER_CRASH_AT: point })
      const start = { playbook: { name: 'reviewed', inputs: {} } }
      const jobId = await startJob(dying.client, repository, start)
      await until(() => dying.process.signalCode === 'SIGKILL')
      const { client } = await home.start()
      const job = await waitForJob(client, jobId)
      expect(await outcomesOf(client, jobId)).toEqual(REVISED)
      expect(await tasksOf(client, jobId)).toMatchObject([{ status: 'completed' }])
      expect(await repository.git('show', `${job.workingBranch}:work.txt`)).toBe('line\nline')
    },
    120_000,
  )

  it.each(['run.before-child:1', 'run.after-child:1'])(
    'follows another playbook once, whatever dies at %s',
    async (point) => {
      const on = { complete: 'end.land', partial: 'end.partial', failed: 'end.failed' }
      const outer = {
        version: 1,
        name: 'outer',
        description: 'Follows another playbook.',
        roles: {},
        start: 'build',
        stages: { build: { playbook: 'reviewed', on } },
      }
      await using home = await quickHome()
      await using repository = await testRepository({
        ...runProject({ developer: WRITE, reviewer: APPROVED }),
        '.muster/playbooks/outer/playbook.yaml': JSON.stringify(outer),
      })
      const dying = await home.start({ MUSTER_CRASH_AT: point })
      const start = { playbook: { name: 'outer', inputs: {} } }
      const jobId = await startJob(dying.client, repository, start)
      await until(() => dying.process.signalCode === 'SIGKILL', 60_000)
      const { client } = await home.start()
      const job = await waitForJob(client, jobId)
      const inner = ['implement: done', 'check: pass', 'review: APPROVED']
      expect(await outcomesOf(client, jobId)).toEqual([...inner, 'build: complete'])
      const { items } = take(await client.listRuns({ job: jobId }))
      expect(items).toMatchObject([{ playbook: 'outer', end: 'land', children: [{ playbook: 'reviewed' }] }])
      expect(await repository.git('show', `${job.workingBranch}:work.txt`)).toBe('line')
    },
    120_000,
  )

  it('is forked once, and leaves the other run as it was, whenever the daemon dies', async () => {
    await using home = await quickHome()
    await using repository = await testRepository(runProject({ developer: WRITE, reviewer: review }))
    const dying = await home.start({ MUSTER_CRASH_AT: 'run.before-fork:1' })
    const job = await runJob(dying.client, repository, { playbook: { name: 'reviewed', inputs: {} } })
    const [old] = take(await dying.client.listRuns({ job: job.id })).items
    const idempotencyKey = 'the-fork'
    const request = { at: '4' }
    await dying.client.forkRun(old?.id ?? '', request, { idempotencyKey }).catch(() => undefined)
    await until(() => dying.process.signalCode === 'SIGKILL')
    const { client } = await home.start()
    const fork = take(await client.forkRun(old?.id ?? '', request, { idempotencyKey }))
    expect(await waitForJob(client, fork.id)).toMatchObject({ status: 'completed' })
    const runs = take(await client.listRuns({ job: fork.id })).items
    expect(runs.map(({ origin }) => origin)).toEqual([{ runId: old?.id, ordinal: 4 }])
    expect(await outcomesOf(client, fork.id)).toEqual(REVISED.slice(3))
    expect(take(await client.listRuns({ job: job.id })).items).toEqual([old])
    expect(take(await client.listJobs()).items).toHaveLength(2)
  }, 120_000)

  it('asks a person once, and survives the death after the question', async () => {
    const unjudged = runProject({ developer: WRITE, reviewer: 'exit 3' })
    await using home = await quickHome()
    await using repository = await testRepository(unjudged)
    const dying = await home.start({ MUSTER_CRASH_AT: 'run.before-gate:1' })
    const start = { playbook: { name: 'reviewed', inputs: {} } }
    const jobId = await startJob(dying.client, repository, start)
    await until(() => dying.process.signalCode === 'SIGKILL', 60_000)
    const { client } = await home.start()
    const asked = async () => take(await client.listApprovals({ job: jobId })).items
    await until(async () => (await asked()).length > 0)
    const [question, ...others] = await asked()
    expect(others).toEqual([])
    take(await client.allowApproval(question?.id ?? ''))
    const job = await waitForJob(client, jobId)
    expect(await repository.git('show', `${job.workingBranch}:work.txt`)).toBe('line')
  }, 120_000)
})

describe('the check of a base', () => {
  const broken = 'test -f fixed.txt'
  const isAsking = async (client: MusterClient, jobId: string) =>
    take(await client.getJob(jobId)).baseStatus === 'asking'

  it('has one verdict and one decision, whenever the daemon dies', async () => {
    await using home = await quickHome()
    await using repository = await testRepository(oneFile([broken, 'true']))
    const dying = await home.start({ MUSTER_CRASH_AT: 'baseline.before-verdict:1' })
    const jobId = await startJob(dying.client, repository, { maxCycles: 1 })
    await until(() => dying.process.signalCode === 'SIGKILL')
    const deciding = await home.start({ MUSTER_CRASH_AT: 'baseline.before-decision:1' })
    await until(() => isAsking(deciding.client, jobId))
    await deciding.client.decideBase(jobId, 'continue').catch(() => undefined)
    await until(() => deciding.process.signalCode === 'SIGKILL')
    const { client } = await home.start()
    // The answer was never given, so the decision was not made.
    expect(await isAsking(client, jobId)).toBe(true)
    take(await client.decideBase(jobId, 'continue'))
    await waitForJob(client, jobId)
    expect(await tasksOf(client, jobId)).toMatchObject([{ status: 'completed' }])
    const { items } = take(await client.listEvents(jobId, { limit: 500 }))
    const types = items.map(({ type }) => type).filter((type) => type.startsWith('base_'))
    expect(types).toEqual(['base_checking', 'base_checked', 'base_decided'])
  }, 120_000)

  it('continues under the next daemon if it runs while the daemon dies', async () => {
    await using home = await quickHome()
    await using repository = await testRepository(oneFile([`sleep 2; ${broken}`]))
    const dying = await home.start()
    const jobId = await startJob(dying.client, repository)
    await until(async () => (await processesWith(join(home.home, 'trees'))).length > 0)
    await dying.kill()
    const { client } = await home.start()
    await until(() => isAsking(client, jobId))
    expect(take(await client.getBase(jobId)).results).toMatchObject([{ passed: false }])
    take(await client.decideBase(jobId, 'stop'))
  }, 120_000)
})

describe('an approval request', () => {
  it('is made once if the daemon dies before it is stored, and survives the next death', async () => {
    await using home = await quickHome()
    await using repository = await testRepository(oneFile())
    const dying = await home.start({ MUSTER_CRASH_AT: 'landing.before-question:1' })
    const jobId = await startJob(dying.client, repository, { mode: 'approve', maxCycles: 1 })
    await until(() => dying.process.signalCode === 'SIGKILL')
    const second = await home.start()
    const approvals = async (client: MusterClient) =>
      take(await client.listApprovals({ job: jobId, status: 'all' })).items
    await until(async () => (await approvals(second.client)).length > 0)
    const [approval] = await approvals(second.client)
    await second.kill()
    const { client } = await home.start()
    expect((await approvals(client)).map(({ id }) => id)).toEqual([approval?.id])
    take(await client.allowApproval(approval?.id ?? '', { digest: approval?.digest ?? '' }))
    await waitForJob(client, jobId)
    expect(await tasksOf(client, jobId)).toMatchObject([{ status: 'completed' }])
  })
})

describe('a merge', () => {
  /** Someone else's commit on the base branch, which is not checked out afterwards. */
  async function moveBase(repository: TestRepository, file: string, text = 'theirs'): Promise<string> {
    await repository.git('checkout', '-q', 'main')
    await repository.write({ [file]: `${text}\n` })
    await repository.commit(`change ${file}`)
    await repository.git('checkout', '-q', '--detach')
    return repository.git('rev-parse', 'main')
  }

  /** Waits until the merge is done, without asking for it again. */
  async function mergeOf(client: MusterClient, jobId: string): Promise<WireMerge> {
    await until(async () => take(await client.getMerge(jobId)).status === 'merged')
    return take(await client.getMerge(jobId))
  }

  it('is made once if the daemon dies after it moved the branch', async () => {
    await using home = await quickHome()
    await using repository = await testRepository(oneFile())
    const dying = await home.start({ MUSTER_CRASH_AT: 'merge.after-delivery:1' })
    const job = await runJob(dying.client, repository, { baseBranch: 'main' })
    await moveBase(repository, 'theirs.txt')
    await dying.client.mergeJob(job.id)
    await until(() => dying.process.signalCode === 'SIGKILL')
    const tip = await repository.git('rev-parse', 'main')
    expect(await repository.git('ls-tree', '--name-only', tip)).toContain('one.txt')
    const { client } = await home.start()
    expect(await mergeOf(client, job.id)).toMatchObject({ commit: tip })
    expect(take(await client.mergeJob(job.id))).toMatchObject({ status: 'merged', commit: tip })
    expect(await repository.git('rev-parse', 'main')).toBe(tip)
  })

  it('starts over if the base branch moves while the daemon is dead in the middle of the check', async () => {
    await using home = await quickHome()
    const check = 'test ! -e theirs.txt || until [ -e "$(cat where-the-gate-is)" ]; do sleep 0.05; done'
    await using repository = await testRepository(oneFile([check]))
    const dying = await home.start()
    const job = await runJob(dying.client, repository, { baseBranch: 'main' })
    const work = await repository.git('rev-parse', job.workingBranch)
    const gate = join(repository.path, '.git', 'gate')
    await moveBase(repository, 'where-the-gate-is', gate)
    await moveBase(repository, 'theirs.txt')
    const begun = take(await dying.client.mergeJob(job.id))
    expect(begun).toMatchObject({ status: 'checking', check })
    await until(async () => (await processesWith('where-the-gate-is')).length > 0)
    await dying.kill()
    const base = await moveBase(repository, 'later.txt')
    await writeFile(gate, '')
    const { client } = await home.start()
    await mergeOf(client, job.id)
    const parents = await repository.git('rev-list', '--parents', '-n1', 'main')
    expect(parents.split(' ').slice(1)).toEqual([base, work])
  })
})

describe('a handoff', () => {
  // The planner's session is the first of each count, and the session that hands over is the second.
  it.each([
    'while the session hands over',
    'handoff.before-successor',
    'session-end.before-commit:2',
    'attempt-start.after-spawn:3',
  ])('happens once if the daemon dies: %s', async (moment) => {
    const isNamed = moment.includes('.')
    const handsOver = [{ shell: 'echo half > half.txt' }, handOver('note'), { shell: 'sleep 1.5' }]
    await using it = await acpStage([handsOver])
    await it.note('note', deeds({ shell: 'git add -A' }, commit('rest.txt'), { say: 'done' }))
    const dying = await it.home.start(isNamed ? { MUSTER_CRASH_AT: moment } : {})
    const jobId = await it.startJob(dying.client)
    if (isNamed) {
      await once(dying.process, 'exit')
    } else {
      await workerWhen(dying.client, jobId, 1, (session) => session.status === 'terminating')
      await dying.kill()
    }
    const { client } = await it.home.start()
    const job = await waitForJob(client, jobId)
    expect(job.status).toBe('completed')
    const workers = await workersOf(client, jobId)
    expect(workers.map(({ ending, processNumber }) => [ending, processNumber])).toEqual([
      ['handed-over', 1],
      ['done', 1],
    ])
    expect(await it.promptsOf(workers[1])).toContain('Handed over to you')
    const [attempt] = await attemptsOf(client, jobId)
    expect(attempt?.handoffs).toHaveLength(1)
    expect(await it.repository.git('show', `${job.workingBranch}:half.txt`)).toBe('half')
    await until(async () => take(await client.listSessions({ status: 'live' })).items.length === 0)
  })
})

describe('messages in an outbox', () => {
  it('arrive once and in order, however often the daemon is killed', async () => {
    const write = [
      `message() { printf '{"type":"send","to":"person","body":"%s"%s}' "$2" "$3" > "$MUSTER_OUTBOX/.new"`,
      `mv "$MUSTER_OUTBOX/.new" "$MUSTER_OUTBOX/$1.json"; }`,
      `for n in 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do message "$n" "message $n"; sleep 0.2; done`,
      `message 90 twice ',"key":"one"'; while [ -e "$MUSTER_OUTBOX/90.json" ]; do sleep 0.05; done`,
      `message 91 twice ',"key":"one"'; printf '{"type":"shout"}' > "$MUSTER_OUTBOX/92.json"`,
      `while [ -e "$MUSTER_OUTBOX/92.json" ]; do sleep 0.05; done`,
    ].join('\n')
    await using it = await acpStage([[{ shell: write }, commit('a.txt')]])
    let daemon = await it.home.start()
    const jobId = await it.startJob(daemon.client)
    for (const count of [1, 4, 8]) {
      const query = { job: jobId, recipient: 'person', limit: 100 } as const
      await until(async () => take(await daemon.client.listMessages(query)).items.length >= count)
      await daemon.kill()
      daemon = await it.home.start()
    }
    expect((await waitForJob(daemon.client, jobId)).status).toBe('completed')
    const messages = take(await daemon.client.listMessages({ job: jobId, limit: 100 })).items.toReversed()
    const sent = messages.filter(({ to }) => to === 'person').map(({ body }) => body)
    const wanted = Array.from({ length: 15 }, (_, index) => `message ${index + 11}`)
    expect(sent).toEqual([...wanted, 'twice'])
    expect(messages.filter(({ status }) => status === 'failed')).toMatchObject([
      { subject: 'outbox: 92.json' },
    ])
  })
})
