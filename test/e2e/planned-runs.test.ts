import { describe, expect, it } from 'vitest'
import { runJob, tasksOf } from '../support/run-job.ts'
import { APPROVED, answering, endsOf, outcomesOf, REVISION, runProject } from '../support/run-project.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { testRepository } from '../support/test-repository.ts'

// Which playbooks a planner may name is tested in src/engine/roles/planner.test.ts.

const shared = shareDaemon()

const planner = (tasks: readonly object[]) =>
  [
    `if [ "$MUSTER_CYCLE" = 1 ]; then ${answering({ tasks, done: false })}`,
    `else ${answering({ tasks: [], done: true, evidence: ['it is there'] })}; fi`,
  ].join('\n')

/** Writes a file of its own for each task. */
const WRITER = [
  'if grep -q "write one" "$MUSTER_PROMPT_FILE"; then echo line >> one.txt; else echo line >> two.txt; fi',
  answering({ summary: 'wrote a line', learnings: ['lines are short'] }),
].join('\n')

describe('tasks of a planner', () => {
  it('are worked on by the playbook that they name, several at once, and land through the merge queue', async () => {
    const tasks = [
      { description: 'write one', playbook: 'reviewed', successCriteria: ['one.txt has a line'] },
      { description: 'write two', playbook: 'solo' },
    ]
    const files = runProject({
      planner: planner(tasks),
      developer: WRITER,
      reviewer: answering({
        verdict: 'APPROVED',
        criteria: [{ criterion: 1, met: true, evidence: 'one.txt' }],
      }),
    })
    await using repository = await testRepository(files)
    const job = await runJob(shared.client, repository)
    expect(job).toMatchObject({ status: 'completed', reason: 'goal-reached' })
    expect(await tasksOf(shared.client, job.id)).toMatchObject([
      {
        status: 'completed',
        playbook: 'reviewed',
        resultSummary: 'wrote a line',
        criteria: [{ number: 1, isMet: true, evidence: 'one.txt', by: 'reviewer' }],
      },
      { status: 'completed', playbook: 'solo' },
    ])
    expect(take(await shared.client.getCycle(job.id, 1)).learnings).toBe('lines are short')
    expect(await endsOf(shared.client, job.id)).toEqual(['land', 'land'])
    for (const file of ['one.txt', 'two.txt']) {
      expect(await repository.git('show', `${job.workingBranch}:${file}`)).toBe('line')
    }
  })

  it("follow the job's playbook if they name none, and may name another", async () => {
    const tasks = [{ description: 'write one' }, { description: 'write two', playbook: 'solo' }]
    const review = `if [ "$(grep -c . one.txt)" -ge 2 ]; then ${APPROVED}; else ${REVISION}; fi`
    const files = runProject({ planner: planner(tasks), developer: WRITER, reviewer: review })
    await using repository = await testRepository(files)
    const job = await runJob(shared.client, repository, { taskPlaybook: { name: 'reviewed' } })
    expect(job).toMatchObject({ status: 'completed', taskPlaybook: { name: 'reviewed', inputs: {} } })
    const outcomes = await outcomesOf(shared.client, job.id)
    const [task] = await tasksOf(shared.client, job.id)
    expect(task).toMatchObject({ rounds: 1, filesModified: ['one.txt'] })
    const { attempts } = take(await shared.client.getTask(task?.id ?? ''))
    expect(attempts.filter(({ judges }) => judges)).toMatchObject([
      { verdict: { type: 'needs-revision', summary: 'one more line' } },
      { verdict: { type: 'approved' } },
    ])
    expect(outcomes.filter((outcome) => outcome.startsWith('review:'))).toEqual([
      'review: NEEDS_REVISION',
      'review: APPROVED',
    ])
    expect(await repository.git('show', `${job.workingBranch}:one.txt`)).toBe('line\nline')
  })

  it('are tried again, as other tasks are, if a run ends without any work', async () => {
    const developer = [
      'if grep -q "An earlier try failed" "$MUSTER_PROMPT_FILE"; then echo line > one.txt',
      `${answering({ summary: 'second try' })}; else exit 3; fi`,
    ].join('\n')
    const tasks = [{ description: 'write one', playbook: 'quick' }]
    const files = {
      ...runProject({ planner: planner(tasks), developer }),
      '.muster/playbooks/quick/developer.md': 'You develop.\n',
      '.muster/playbooks/quick/playbook.yaml': JSON.stringify({
        ...{ version: 1, name: 'quick', description: 'One try.' },
        roles: { developer: { mode: 'write', prompt: './developer.md', agents: ['worker'] } },
        start: 'implement',
        stages: {
          implement: {
            ...{ role: 'developer', from: 'head', sees: ['goal'], output: 'change' },
            on: { done: 'end.land', failed: 'end.failed' },
          },
        },
        recover: { perVisit: 0, perRun: 0 },
      }),
    }
    await using repository = await testRepository(files)
    const job = await runJob(shared.client, repository)
    const [task] = await tasksOf(shared.client, job.id)
    expect(task).toMatchObject({ status: 'completed', playbook: 'quick', retryCount: 1 })
    expect(await endsOf(shared.client, job.id)).toEqual(['failed', 'land'])
  })

  it('start nothing if the playbook of the job can land what no reviewer of the job approved', async () => {
    const files = runProject({}, { mode: 'review' })
    await using repository = await testRepository(files)
    const refused = await shared.client.startJob({
      repositoryPath: repository.path,
      requestDocument: 'x',
      taskPlaybook: { name: 'best-of' },
    })
    expect(refused).toMatchObject({ ok: false, failure: { type: 'playbook-unreviewed' } })
    expect(take(await shared.client.listJobs({})).items.map(({ title }) => title)).not.toContain('x')
  })
})
