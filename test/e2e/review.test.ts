import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MusterClient, WireJob, WireTask } from '../../src/client/index.ts'
import { shellProject } from '../support/command-agents.ts'
import { quickHome } from '../support/quick-home.ts'
import { type TestDaemon, type TestHome, until, waitForJob } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

/** Adds a line in every round, and says in it whether it was told what to revise. */
const WORKER = [
  'if grep -q "The reviewer asks for this" "$MUSTER_PROMPT_FILE"; then',
  '  grep -q "one more line" "$MUSTER_PROMPT_FILE"; echo revised >> lines.txt',
  'else echo first >> lines.txt; fi',
  'git add lines.txt; git commit -q -m "Add a line"',
  `echo '{"type":"result","summary":"added a line","criteria":[{"criterion":1,"evidence":"I wrote it"}],"learnings":["lines are short"]}'`,
].join('\n')

const answer = (verdict: string, fields: object = {}) =>
  `echo '${JSON.stringify({ type: 'result', verdict, ...fields })}'`
const APPROVE = answer('APPROVED', {
  criteria: [{ criterion: 1, met: true, evidence: 'lines.txt in the tree' }],
})
const REVISE = answer('NEEDS_REVISION', {
  issues: [
    { severity: 'major', location: 'lines.txt', issue: 'too short', suggestion: 'write one more line' },
  ],
})
/** Content with three lines. */
const PATIENT = `if [ "$(grep -c . lines.txt)" -ge 3 ]; then ${APPROVE}; else ${REVISE}; fi`

/** A project with one task, whose work is looked at by a reviewer that runs this script. */
function reviewedProject(reviewer: string, worker = WORKER) {
  const extra = { successCriteria: ['lines.txt has lines'] }
  const files = shellProject([{ description: 'write lines', script: worker, extra }], {
    limits: { maxCycles: 1 },
  })
  const configuration = JSON.parse(files['muster.yaml'])
  return {
    ...files,
    'tools/reviewer.sh': `set -e\ngrep -q 'lines.txt has lines' "$MUSTER_PROMPT_FILE"\necho mine > junk.txt\n${reviewer}\n`,
    'muster.yaml': JSON.stringify({
      ...configuration,
      mode: 'review',
      agents: {
        ...configuration.agents,
        critic: { provider: 'command', command: ['/bin/sh', 'tools/reviewer.sh'], roles: ['reviewer'] },
      },
      roles: { reviewer: { agent: 'critic' } },
    }),
  }
}

async function startReviewed(client: MusterClient, repository: TestRepository): Promise<string> {
  const started = await client.startJob({
    repositoryPath: repository.path,
    requestDocument: 'Write lines.',
  })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  return started.value.id
}

type End = { readonly job: WireJob; readonly task: WireTask }

async function endOf(client: MusterClient, jobId: string): Promise<End> {
  const job = await waitForJob(client, jobId)
  const tasks = await client.listTasks({ job: jobId })
  if (!tasks.ok) throw new Error(tasks.failure.message)
  const [task] = tasks.value.items
  if (task === undefined) throw new Error('there is no task')
  return { job, task }
}

/** What is in the file, on the branch that the person gets. */
async function landedLines(repository: TestRepository, job: WireJob): Promise<readonly string[]> {
  const text = await repository.git('show', `${job.workingBranch}:lines.txt`)
  return text.trim().split('\n')
}

async function expectRevisedTwice(client: MusterClient, repository: TestRepository, jobId: string) {
  const { job, task } = await endOf(client, jobId)
  expect(task).toMatchObject({
    status: 'completed',
    rounds: 2,
    retryCount: 0,
    criteria: [{ number: 1, isMet: true, evidence: 'lines.txt in the tree', by: 'reviewer' }],
    filesModified: ['lines.txt'],
  })
  expect(task.commitsMade).toHaveLength(3)
  expect(await landedLines(repository, job)).toEqual(['first', 'revised', 'revised'])
  return job
}

describe('a reviewer', () => {
  let home: TestHome
  let daemon: TestDaemon

  beforeAll(async () => {
    home = await quickHome()
    daemon = await home.start()
  })

  afterAll(() => home[Symbol.asyncDispose]())

  async function reviewed(
    reviewer: string,
    worker?: string,
  ): Promise<End & AsyncDisposable & { repository: TestRepository }> {
    const repository = await testRepository(reviewedProject(reviewer, worker))
    const end = await endOf(daemon.client, await startReviewed(daemon.client, repository))
    return { ...end, repository, [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose]() }
  }

  it('that approves lets the work land, and nothing of its own', async () => {
    await using end = await reviewed(APPROVE)
    expect(end.task).toMatchObject({
      status: 'completed',
      rounds: 0,
      resultSummary: 'added a line',
      criteria: [{ isMet: true, evidence: 'lines.txt in the tree', by: 'reviewer' }],
    })
    const shown = await daemon.client.getTask(end.task.id)
    expect(shown.ok && shown.value.attempts).toMatchObject([
      { role: 'worker', number: 1, outcome: 'accepted' },
      { role: 'reviewer', number: 1, outcome: 'accepted', verdict: { type: 'approved' } },
    ])
    const files = await end.repository.git('ls-tree', '-r', '--name-only', end.job.workingBranch)
    expect(files.split('\n')).toContain('lines.txt')
    expect(files.split('\n')).not.toContain('junk.txt')
  })

  it('that asks for changes gets them, each round on top of the one before', async () => {
    await using repository = await testRepository(reviewedProject(PATIENT))
    const jobId = await startReviewed(daemon.client, repository)
    const job = await expectRevisedTwice(daemon.client, repository, jobId)
    const cycle = await daemon.client.getCycle(job.id, 1)
    expect(cycle.ok && cycle.value.learnings).toBe('lines are short')
  })

  it('may be answered by rewriting the commits of the round before', async () => {
    const isContent = `if [ "$(grep -c . lines.txt)" -ge 2 ]; then ${APPROVE}; else ${REVISE}; fi`
    const amend = 'echo line >> lines.txt; git add lines.txt; git commit -q'
    const worker = `if [ -f lines.txt ]; then ${amend} --amend -m Rewritten; else ${amend} -m Written; fi`
    await using end = await reviewed(isContent, worker)
    expect(end.task).toMatchObject({ status: 'completed', rounds: 1, filesModified: ['lines.txt'] })
    expect(end.task.commitsMade).toHaveLength(1)
    const subjects = await end.repository.git('log', '--format=%s', end.job.workingBranch)
    expect(subjects).toContain('Rewritten')
    expect(subjects).not.toContain('Written')
  })

  it('is not taken for answered by a worker that changes nothing', async () => {
    const worker = 'if [ ! -f lines.txt ]; then echo first > lines.txt; fi'
    await using end = await reviewed(REVISE, worker)
    expect(end.task).toMatchObject({
      status: 'blocked',
      rounds: 1,
      retryCount: 1,
      reason: '2 attempts failed; the last one: the agent said it was done and changed nothing',
    })
  })

  it('that is never content leaves the task to a person after three rounds', async () => {
    await using end = await reviewed(REVISE)
    expect(end.task).toMatchObject({
      status: 'blocked',
      rounds: 3,
      reason: 'the reviewer still asks for changes after 3 rounds: lines.txt: too short',
      suggestion: expect.stringContaining(`muster diff ${end.task.id}`),
    })
    await expect(landedLines(end.repository, end.job)).rejects.toThrow()
  })

  it('that rejects blocks the task', async () => {
    await using end = await reviewed(answer('REJECTED', { issues: [{ issue: 'nobody wants lines' }] }))
    expect(end.task).toMatchObject({
      status: 'blocked',
      rounds: 0,
      reason: 'the reviewer rejected it: nobody wants lines',
      suggestion: expect.any(String),
    })
  })

  it('that gives no verdict is asked three times, and told what was wrong', async () => {
    const told =
      'if [ "$MUSTER_ATTEMPT" -gt 1 ]; then grep -q "answer could not be used" "$MUSTER_PROMPT_FILE"; fi'
    await using end = await reviewed(`${told}\necho 'All good: APPROVED'`)
    expect(end.task).toMatchObject({
      status: 'blocked',
      rounds: 0,
      reason: expect.stringContaining('the reviewer gave no usable verdict: there was no answer'),
    })
    const shown = await daemon.client.getTask(end.task.id)
    if (!shown.ok) throw new Error(shown.failure.message)
    const reviews = shown.value.attempts.filter(({ role }) => role === 'reviewer')
    expect(reviews.map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, 'rejected'],
      [2, 'rejected'],
      [3, 'rejected'],
    ])
  })

  it('whose job is cancelled is stopped, and its verdict is nobody’s', async () => {
    await using repository = await testRepository(
      reviewedProject(`echo "looking for long"; sleep 60; ${APPROVE}`),
    )
    const jobId = await startReviewed(daemon.client, repository)
    await until(async () => {
      const tasks = await daemon.client.listTasks({ job: jobId })
      return tasks.ok && tasks.value.items[0]?.status === 'review'
    })
    await daemon.client.cancelJob(jobId)
    await until(async () => {
      const { task } = await endOf(daemon.client, jobId)
      const shown = await daemon.client.getTask(task.id)
      const review = shown.ok ? shown.value.attempts.find(({ role }) => role === 'reviewer') : undefined
      return task.status === 'skipped' && review?.outcome === 'cancelled'
    })
  })
})

describe('a daemon that dies while work is reviewed', () => {
  it('goes on to the same end', async () => {
    await using home = await quickHome()
    await using repository = await testRepository(reviewedProject(PATIENT))
    for (const point of ['review.before-ask:2', 'review.before-verdict:2']) {
      const doomed = await home.start({ MUSTER_CRASH_AT: point })
      const jobId = await startReviewed(doomed.client, repository)
      await until(() => doomed.process.signalCode === 'SIGKILL')
      const daemon = await home.start()
      await expectRevisedTwice(daemon.client, repository, jobId).catch((error: unknown) => {
        throw new Error(`after a death at ${point}: ${error}`, { cause: error })
      })
      await daemon.stop()
    }
  }, 180_000)
})
