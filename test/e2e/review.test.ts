import { describe, expect, it } from 'vitest'
import {
  APPROVE,
  approveLines,
  expectRevisedTwice,
  REVISE,
  reviewedProject,
} from '../support/reviewed-project.ts'
import { runJob, startJob, tasksOf } from '../support/run-job.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { testRepository } from '../support/test-repository.ts'

// Where each verdict leads is tested in src/engine/runs. These tests follow a planner's task in mode `review`.

const shared = shareDaemon()

async function reviewed(reviewer: string, worker?: string) {
  const repository = await testRepository(reviewedProject(reviewer, worker))
  const job = await runJob(shared.client, repository)
  const [task] = await tasksOf(shared.client, job.id)
  return { job, task, repository, [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose]() }
}

describe('a reviewed task', () => {
  it('lands when the reviewer approves it, without the files that the reviewer wrote', async () => {
    await using end = await reviewed(APPROVE)
    expect(end.task).toMatchObject({
      status: 'completed',
      rounds: 0,
      resultSummary: 'added a line',
      criteria: [{ isMet: true, evidence: 'lines.txt in the tree', by: 'reviewer' }],
    })
    const { attempts } = take(await shared.client.getTask(end.task?.id ?? ''))
    expect(attempts).toMatchObject([
      { role: 'developer', number: 1, outcome: 'accepted' },
      { role: 'reviewer', number: 1, outcome: 'accepted', verdict: { type: 'approved' } },
    ])
    const files = await end.repository.git('ls-tree', '-r', '--name-only', end.job.workingBranch)
    expect(files.split('\n')).toContain('lines.txt')
    expect(files.split('\n')).not.toContain('junk.txt')
  })

  it('is revised on top of the round before when the reviewer asks for changes', async () => {
    await using repository = await testRepository(reviewedProject(approveLines(3)))
    const jobId = await startJob(shared.client, repository)
    await expectRevisedTwice(shared.client, repository, jobId)
    expect(take(await shared.client.getCycle(jobId, 1)).learnings).toBe('lines are short')
  })

  it('lands without the commits of the round before if a revision rewrites them', async () => {
    const amend = 'echo line >> lines.txt; git add lines.txt; git commit -q'
    const worker = `if [ -f lines.txt ]; then ${amend} --amend -m Rewritten; else ${amend} -m Written; fi`
    await using end = await reviewed(approveLines(2), worker)
    expect(end.task).toMatchObject({ status: 'completed', rounds: 1, filesModified: ['lines.txt'] })
    expect(end.task?.commitsMade).toHaveLength(1)
    const subjects = await end.repository.git('log', '--format=%s', end.job.workingBranch)
    expect(subjects).toContain('Rewritten')
    expect(subjects).not.toContain('Written')
  })

  it('is blocked if the worker is asked for changes and changes nothing', async () => {
    const worker = 'if [ ! -f lines.txt ]; then echo first > lines.txt; fi'
    await using end = await reviewed(REVISE, worker)
    expect(end.task).toMatchObject({
      status: 'blocked',
      rounds: 1,
      reason: expect.stringContaining(
        'revise ended with failed: the agent said it was done but changed nothing',
      ),
    })
  })

  it('is blocked after three reviews without a verdict, each told what was wrong with the last', async () => {
    const isTold =
      'if [ "$MUSTER_ATTEMPT" -gt 1 ]; then grep -q "answer could not be used" "$MUSTER_PROMPT_FILE"; fi'
    await using end = await reviewed(`${isTold}\necho 'All good: APPROVED'`)
    expect(end.task).toMatchObject({
      status: 'blocked',
      rounds: 0,
      reason: expect.stringContaining(
        'review ended with failed: the answer contains no JSON object; it ends with: "All good: APPROVED"',
      ),
    })
    const { attempts } = take(await shared.client.getTask(end.task?.id ?? ''))
    expect(attempts.filter(({ role }) => role === 'reviewer').map(({ outcome }) => outcome)).toEqual([
      'rejected',
      'rejected',
      'rejected',
    ])
  })
})
