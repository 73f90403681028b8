import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { WireRun } from '../../src/client/index.ts'
import { runJob, startJob } from '../support/run-job.ts'
import { APPROVED, outcomesOf, REVISION, runProject, WRITE } from '../support/run-project.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { until, waitForJob } from '../support/test-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

const shared = shareDaemon()

const runOf = async (jobId: string): Promise<WireRun> => {
  const [run] = take(await shared.client.listRuns({ job: jobId })).items
  if (run === undefined) throw new Error(`${jobId} has no run`)
  return run
}

const playbook = { name: 'reviewed', inputs: {} }
const twice = `if [ "$(grep -c . work.txt)" -ge 2 ]; then ${APPROVED}; else ${REVISION}; fi`

describe('a fork', () => {
  it('takes the visits before one without doing anything for them, and leaves the old run as it was', async () => {
    await using repository = await testRepository(runProject({ developer: WRITE, reviewer: twice }))
    const job = await runJob(shared.client, repository, { playbook })
    const old = await runOf(job.id)
    const fork = take(await shared.client.forkRun(old.id, { at: 'review' }))
    expect(await waitForJob(shared.client, fork.id)).toMatchObject({
      status: 'completed',
      reason: 'task-completed',
    })
    const run = await runOf(fork.id)
    expect(run.origin).toEqual({ runId: old.id, ordinal: 6 })
    expect(
      run.visits.map(({ stage, takenFrom }) => `${stage} ${takenFrom === undefined ? 'new' : 'taken'}`),
    ).toEqual([
      ...['implement taken', 'check taken', 'review taken', 'revise taken', 'check taken'],
      'review new',
    ])
    expect(run.visits.slice(0, 5).map(({ commit }) => commit)).toEqual(
      old.visits.slice(0, 5).map(({ commit }) => commit),
    )
    expect(run.counters).toEqual({ 'review.NEEDS_REVISION': 1 })
    // Only the reviewer worked again, and the same tree landed.
    expect(await outcomesOf(shared.client, fork.id)).toEqual(['review: APPROVED'])
    const sessions = take(await shared.client.listSessions({ job: fork.id, purpose: 'attempt' })).items
    expect(sessions.map(({ role }) => role)).toEqual(['reviewer'])
    expect(await repository.git('diff', job.workingBranch, fork.workingBranch)).toBe('')
    expect(await runOf(job.id)).toEqual(old)
    expect(take(await shared.client.getJob(job.id))).toEqual(job)
    const compared = take(await shared.client.compareRuns(old.id, { with: run.id }))
    expect(compared.visits.map(({ relation }) => relation)).toEqual([
      ...['shared', 'shared', 'shared', 'shared', 'shared'],
      'alike',
    ])
    expect(compared.work?.files).toEqual([])
    // What it needs stays while it exists.
    expect(await shared.client.deleteJob(job.id, { withUnlandedWork: true })).toMatchObject({
      failure: { type: 'job-forked', details: { forks: [fork.id] } },
    })
    take(await shared.client.deleteJob(fork.id, { withUnlandedWork: true }))
    take(await shared.client.deleteJob(job.id, { withUnlandedWork: true }))
  })

  it('does not give a lost review to the agent that made the work, even in a child run', async () => {
    const lost = 'case "$0" in *lost.sh) exit 3 ;; esac'
    const agents = {
      one: { provider: 'command', command: ['/bin/sh', 'tools/agent.sh'], roles: ['worker', 'planner'] },
      two: { provider: 'command', command: ['/bin/sh', 'tools/lost.sh'], roles: ['reviewer'] },
    }
    const project = runProject({ developer: WRITE, reviewer: `${lost}; ${APPROVED}` }, { agents })
    const write = (name: string, fields: object) => ({
      [`.muster/playbooks/${name}/playbook.yaml`]: JSON.stringify({
        ...{ version: 1, name, description: 'An example.', limits: { minutes: 10 } },
        ...fields,
      }),
      [`.muster/playbooks/${name}/role.md`]: 'You help.',
    })
    const role = (mode: string, names: readonly string[]) => ({ mode, prompt: './role.md', agents: names })
    await using repository = await testRepository({
      ...project,
      'tools/lost.sh': project['tools/agent.sh'],
      ...write('judged', {
        roles: { reviewer: role('read', ['reviewer', 'one']) },
        start: 'review',
        stages: {
          review: {
            ...{ role: 'reviewer', sees: ['goal', 'diff'], output: 'review' },
            on: {
              ...{ APPROVED: 'end.land', NEEDS_REVISION: 'end.partial' },
              ...{ REJECTED: 'end.partial', failed: 'end.unverified' },
            },
          },
        },
        recover: { crashed: ['substitute'] },
      }),
      ...write('outer', {
        roles: { developer: role('write', ['worker']) },
        start: 'build',
        stages: {
          build: {
            role: 'developer',
            sees: ['goal'],
            output: 'change',
            on: { done: 'sub', failed: 'end.failed' },
          },
          sub: {
            playbook: 'judged',
            on: { complete: 'end.land', partial: 'end.partial', failed: 'end.unverified' },
          },
        },
        result: { partial: 'keep' },
      }),
    })
    const job = await runJob(shared.client, repository, { playbook: { name: 'outer', inputs: {} } })
    const old = await runOf(job.id)
    expect(old.end).toBe('partial')
    const fork = take(await shared.client.forkRun(old.id, { at: 'sub' }))
    await waitForJob(shared.client, fork.id)
    expect(await runOf(fork.id)).toMatchObject({ end: 'partial' })
    expect(take(await shared.client.listLandings({ job: fork.id })).items).toEqual([])
  })

  it('uses another prompt and another agent, and leaves out a stage', async () => {
    const developer = `if grep -q "as a haiku" "$MUSTER_PROMPT_FILE"; then echo haiku > work.txt; fi; ${WRITE}`
    const agents = {
      one: { provider: 'command', command: ['/bin/sh', 'tools/agent.sh'], roles: ['worker', 'planner'] },
      two: { provider: 'command', command: ['/bin/sh', 'tools/agent.sh'], roles: ['reviewer', 'worker'] },
    }
    await using repository = await testRepository(runProject({ developer, reviewer: APPROVED }, { agents }))
    const job = await runJob(shared.client, repository, { playbook })
    const old = await runOf(job.id)
    const request = { at: '1', prompts: { implement: 'Write it as a haiku.' }, agents: { developer: 'two' } }
    const fork = take(await shared.client.forkRun(old.id, { ...request, skip: ['review'] }))
    await until(async () => take(await shared.client.listApprovals({ job: fork.id })).items.length > 0)
    const [question] = take(await shared.client.listApprovals({ job: fork.id })).items
    expect(question?.action).toMatchObject({ type: 'gate', stage: 'end.unverified' })
    take(await shared.client.allowApproval(question?.id ?? '', { digest: question?.digest ?? '' }))
    expect(await waitForJob(shared.client, fork.id)).toMatchObject({ status: 'completed' })
    const run = await runOf(fork.id)
    expect(run.hash).not.toBe(old.hash)
    expect(run.visits.map(({ stage, outcome }) => `${stage}: ${outcome}`)).toEqual([
      ...['implement: done', 'check: pass', 'review: skipped'],
    ])
    expect(await repository.git('show', `${fork.workingBranch}:work.txt`)).toBe('haiku\nline')
    const compared = take(await shared.client.compareRuns(old.id, { with: run.id, patch: 'true' }))
    expect(compared.visits.map(({ relation, a, b }) => [relation, a?.agent, b?.agent])).toEqual([
      ['alike', 'one', 'two'],
      ['alike', undefined, undefined],
      ['different', 'two', undefined],
    ])
    expect(compared.changedBy).toEqual({ 'work.txt': 'both' })
    expect(compared.work?.patch).toContain('+haiku')
    const sessions = take(await shared.client.listSessions({ job: fork.id, purpose: 'attempt' })).items
    expect(sessions.map(({ agent }) => agent)).toEqual(['two'])
  })

  it('is refused, and nothing starts, if it makes no sense', async () => {
    await using repository = await testRepository(runProject({ developer: WRITE, reviewer: APPROVED }))
    const job = await runJob(shared.client, repository, { playbook })
    const { id } = await runOf(job.id)
    const before = take(await shared.client.listJobs()).items.length
    const problemOf = async (request: Parameters<typeof shared.client.forkRun>[1]) => {
      const forked = await shared.client.forkRun(id, request)
      return forked.ok ? 'it started' : forked.failure.message
    }
    expect(await problemOf({ at: 'reveiw' })).toContain('did you mean "review"?')
    expect(await problemOf({ at: '7' })).toContain('its visits are 1 to 3')
    expect(await problemOf({ at: '2', skip: ['check'] })).toContain('work must be checked before it lands')
    expect(await problemOf({ at: '1', skip: ['implement'] })).toContain('leads to end.failed')
    expect(await problemOf({ at: '1', prompts: { check: 'x' } })).toContain(
      'no agent works in the stage check',
    )
    expect(await problemOf({ at: '1', agents: { tester: 'one' } })).toContain('no role "tester"')
    expect(await problemOf({ at: '1', agents: { developer: 'nobody' } })).toContain('nobody')
    expect(take(await shared.client.listJobs()).items).toHaveLength(before)
  })
})

describe('resuming a run', () => {
  it('tries the visit again at which it was cancelled, in a new job', async () => {
    await using repository = await testRepository(runProject({ developer: WRITE, reviewer: 'sleep 600' }))
    const jobId = await startJob(shared.client, repository, { playbook })
    const isReviewed = async () => {
      const [run] = take(await shared.client.listRuns({ job: jobId })).items
      return run?.visits.some(({ stage, status }) => stage === 'review' && status === 'working') === true
    }
    await until(isReviewed)
    take(await shared.client.cancelJob(jobId))
    const old = await runOf(jobId)
    expect(old.status).toBe('cancelled')
    // The next reviewer answers.
    const script = join(repository.path, 'tools/agent.sh')
    const { 'tools/agent.sh': text } = runProject({ developer: WRITE, reviewer: APPROVED })
    await writeFile(script, text)
    const resumed = take(await shared.client.resumeRun(old.id))
    expect(resumed.id).not.toBe(jobId)
    // Asking again starts nothing else.
    expect(take(await shared.client.resumeRun(old.id)).id).toBe(resumed.id)
    await until(async () => take(await shared.client.listRuns({ job: resumed.id })).items.length > 0)
    expect((await runOf(resumed.id)).origin).toEqual({ runId: old.id, ordinal: 3 })
    take(await shared.client.cancelJob(resumed.id))
  })

  it('resumes a paused job, and refuses a run that is complete', async () => {
    await using repository = await testRepository(runProject({ developer: WRITE, reviewer: APPROVED }))
    const job = await runJob(shared.client, repository, { playbook })
    const { id } = await runOf(job.id)
    expect(await shared.client.resumeRun(id)).toMatchObject({
      failure: { type: 'run-not-resumable', details: { why: 'complete' } },
    })
  })
})
