import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runJob, startJob, tasksOf } from '../support/run-job.ts'
import {
  APPROVED,
  answering,
  endsOf,
  outcomesOf,
  REVISION,
  type RoleScripts,
  runProject,
  WRITE,
} from '../support/run-project.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { until, waitForJob } from '../support/test-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

// Where each outcome leads is tested in src/domain/run. These tests follow runs through the whole engine.

const shared = shareDaemon()

async function follow(name: string, scripts: RoleScripts, inputs = {}, settings = {}) {
  const repository = await testRepository(runProject(scripts, settings))
  const job = await runJob(shared.client, repository, { playbook: { name, inputs } })
  const [task] = await tasksOf(shared.client, job.id)
  return {
    job,
    task,
    outcomes: await outcomesOf(shared.client, job.id),
    ends: await endsOf(shared.client, job.id),
    repository,
    [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose](),
  }
}

const pendingOf = async (jobId: string) =>
  take(await shared.client.listApprovals({ job: jobId, status: 'pending' })).items

describe('a run', () => {
  it('is revised until its reviewer approves it, and lands exactly the tree that was checked', async () => {
    const review = `if [ "$(grep -c . work.txt)" -ge 2 ]; then ${APPROVED}; else ${REVISION}; fi`
    await using end = await follow('reviewed', { developer: WRITE, reviewer: review })
    expect(end.outcomes).toEqual([
      'implement: done',
      'check: pass',
      'review: NEEDS_REVISION',
      'revise: done',
      'check: pass',
      'review: APPROVED',
    ])
    expect(end.ends).toEqual(['land'])
    expect(end.job).toMatchObject({ status: 'completed', reason: 'task-completed' })
    expect(end.task).toMatchObject({
      status: 'completed',
      playbook: 'reviewed',
      resultSummary: 'wrote a line',
      filesModified: ['work.txt'],
    })
    expect(await end.repository.git('show', `${end.job.workingBranch}:work.txt`)).toBe('line\nline')
    const run = take(await shared.client.listRuns({ job: end.job.id })).items[0]?.id ?? ''
    const said = take(await shared.client.listMessages({ run })).items.toReversed()
    expect(
      said.map((one) => `${one.fromRole ?? one.from} -> ${one.to}: ${one.type}, ${one.subject}`),
    ).toEqual([
      'engine -> role:developer: task, reviewed: implement',
      'developer -> engine: artifact, implement: done',
      'engine -> role:reviewer: result, check: pass',
      'reviewer -> role:developer: review, review: NEEDS_REVISION',
      'developer -> engine: artifact, revise: done',
      'engine -> role:reviewer: result, check (round 2): pass',
      'reviewer -> engine: review, review (round 2): APPROVED',
    ])
    expect(new Set(said.map(({ kind, status }) => `${kind} ${status}`))).toEqual(
      new Set(['output acknowledged']),
    )
    expect(
      take(await shared.client.listArtifacts(run)).items.map((one) => [one.version, one.reviewStatus]),
    ).toEqual([
      [1, 'needs_revision'],
      [2, 'approved'],
    ])
    const { items } = take(await shared.client.listLandings({ job: end.job.id }))
    expect(items).toMatchObject([
      { status: 'landed', checks: [{ command: 'test -f base.txt', passed: true }] },
    ])
    const result = take(await shared.client.getRunResult(run, { format: 'markdown' }))
    expect(result).toMatchObject({
      end: 'land',
      progress: 1,
      visits: 6,
      roles: [
        { role: 'developer', visits: 2, agents: ['one'] },
        { role: 'reviewer', visits: 2, agents: ['two'] },
      ],
      stages: [
        { stage: 'implement', outcomes: ['done'] },
        { stage: 'check', outcomes: ['pass', 'pass'] },
        { stage: 'review', outcomes: ['NEEDS_REVISION', 'APPROVED'] },
        { stage: 'revise', outcomes: ['done'] },
      ],
      artifacts: [{ version: 1 }, { version: 2 }],
      errors: [],
      next: [],
      landing: { status: 'landed', commit: items[0]?.commit },
    })
    expect(result.markdown).toContain(result.summary)
  })

  it('goes on without a commit where nothing needs to be changed, and lands what was changed before', async () => {
    const architect = answering({ criteria: ['there is a line'], needsDesign: false })
    const developer = `if [ "$MUSTER_STAGE" = documentation ]; then ${answering({ summary: 'nothing to document' })}; else ${WRITE}; fi`
    await using end = await follow('development', { architect, developer, reviewer: APPROVED })
    expect(end.outcomes.slice(-3)).toEqual([
      'code_review: APPROVED',
      'documentation: done',
      'final_check: pass',
    ])
    expect(end.ends).toEqual(['land'])
    expect(end.task).toMatchObject({ status: 'completed', resultSummary: 'wrote a line', retryCount: 0 })
    expect(await end.repository.git('show', `${end.job.workingBranch}:work.txt`)).toBe('line')
  })

  it('does not take a stage for done that took everything back', async () => {
    const undo = `git rm -qf work.txt; git commit -qm undo; ${answering({ summary: 'took it back' })}`
    const developer = `if [ "$MUSTER_STAGE" = tidy ]; then ${undo}; else ${WRITE}; fi`
    const stage = (done: string) => ({
      role: 'developer',
      sees: ['goal'],
      on: { done, failed: 'end.partial' },
    })
    await using repository = await testRepository({
      ...runProject({ developer }),
      '.muster/playbooks/tidy/playbook.yaml': JSON.stringify({
        ...{ version: 1, name: 'tidy', description: 'Builds and tidies.', start: 'build' },
        roles: { developer: { mode: 'write', prompt: './developer.md', agents: ['worker'] } },
        limits: { minutes: 10 },
        stages: {
          build: { ...stage('tidy'), output: 'change' },
          tidy: { ...stage('end.land'), output: 'change?' },
        },
        result: { partial: 'keep' },
        recover: { perVisit: 0 },
      }),
      '.muster/playbooks/tidy/developer.md': 'You develop.',
    })
    const job = await runJob(shared.client, repository, { playbook: { name: 'tidy', inputs: {} } })
    const { items } = take(await shared.client.listRuns({ job: job.id }))
    expect(items[0]).toMatchObject({
      end: 'partial',
      visits: [{ outcome: 'done' }, { outcome: 'failed', problem: expect.stringContaining('took back') }],
    })
  })

  it('shows its stages and its documents, and completes without a commit if it has only those', async () => {
    const researcher = [
      'if grep -q "Divide the goal" "$MUSTER_PROMPT_FILE"; then',
      answering({ questions: ['why?', 'how?'] }),
      'elif grep -q "Write the report" "$MUSTER_PROMPT_FILE"; then',
      answering({ title: 'Why', text: 'Because.' }),
      'else',
      answering({
        summary: 'found',
        findings: [{ claim: 'so', sources: ['base.txt:1'], confidence: 'high' }],
        confidence: 'high',
      }),
      'fi',
    ].join('\n')
    await using end = await follow('research', { researcher, reviewer: APPROVED })
    expect(end.ends).toEqual(['done'])
    expect(end.task).toMatchObject({ status: 'completed' })
    expect(end.task?.commit).toBeUndefined()
    const { items } = take(await shared.client.listRuns({ job: end.job.id }))
    expect(items).toMatchObject([
      {
        playbook: 'research',
        status: 'ended',
        end: 'done',
        documents: [{ name: 'synthesis', text: '# Why\n\nBecause.' }, { name: 'citations' }],
      },
    ])
    expect(items[0]?.visits.map(({ stage, outcome }) => `${stage}: ${outcome}`)).toContain('completeness: 0')
    const runId = items[0]?.id ?? ''
    expect(take(await shared.client.listFindings(runId)).items[0]).toMatchObject({
      claim: 'so',
      sources: ['base.txt:1'],
      role: 'researcher',
      verifiedBy: 'reviewer',
    })
  })

  it('tries several times at once, checks each, and lands the one that the judge chose', async () => {
    const candidate = `echo "$MUSTER_SESSION_ID" > work.txt; ${answering({ summary: 'a try' })}`
    const judge = answering({ choice: 2, reason: 'it is smaller' })
    await using end = await follow('best-of', { candidate, judge }, { n: 3 })
    expect(end.outcomes.toSorted()).toEqual([
      'pick: done',
      ...['try: done', 'try: done', 'try: done'],
      ...['verify: pass', 'verify: pass', 'verify: pass'],
    ])
    expect(end.ends).toEqual(['land'])
    expect(await end.repository.git('show', `${end.job.workingBranch}:work.txt`)).toMatch(/^ses_/)
  })

  it('asks again, with the reason, for an answer that does not fit', async () => {
    const isTold = 'grep -q "contains no JSON object" "$MUSTER_PROMPT_FILE"'
    const reviewer = `if ${isTold}; then ${APPROVED}; else echo hmm; fi`
    await using end = await follow('reviewed', { developer: WRITE, reviewer })
    expect(end.outcomes.at(-1)).toBe('review: APPROVED')
    const { items } = take(await shared.client.listEvents(end.job.id, { limit: 500 }))
    expect(items.filter(({ type }) => type === 'stage_recovered')).toMatchObject([
      { data: { stage: 'review', action: 'ask-again' } },
    ])
  })

  it('asks a person about work that nobody judged, and lands nothing if they deny it', async () => {
    await using repository = await testRepository(runProject({ developer: WRITE, reviewer: 'echo hmm' }))
    const playbook = { name: 'reviewed', inputs: {} }
    const jobId = await startJob(shared.client, repository, { playbook })
    await until(async () => (await pendingOf(jobId)).length > 0, 60_000)
    // The only other agent made the work, so no agent is left to review it.
    const [lost] = await pendingOf(jobId)
    expect(lost).toMatchObject({ action: { type: 'gate', stage: 'review' } })
    take(await shared.client.denyApproval(lost?.id ?? '', {}))
    const isNext = async () => (await pendingOf(jobId)).some(({ id }) => id !== lost?.id)
    await until(isNext, 60_000)
    const [question] = await pendingOf(jobId)
    expect(question).toMatchObject({
      action: { type: 'gate', stage: 'end.unverified', ask: 'Land this work, which nobody has judged?' },
      summary: 'reviewed asks: Land this work, which nobody has judged?',
    })
    take(await shared.client.denyApproval(question?.id ?? '', {}))
    const job = await waitForJob(shared.client, jobId)
    expect(job).toMatchObject({ status: 'completed', reason: 'task-blocked' })
    expect(await tasksOf(shared.client, jobId)).toMatchObject([
      { status: 'blocked', reason: expect.stringContaining('the run of reviewed ended as unverified') },
    ])
    expect(take(await shared.client.listLandings({ job: jobId })).items).toEqual([])
    const { items } = take(await shared.client.listPinned({ job: jobId }))
    expect(items).toMatchObject([{ agent: 'one', status: 'unlanded' }])
    const [run] = take(await shared.client.listRuns({ job: jobId })).items
    const [report] = take(await shared.client.listReports({ job: jobId })).items
    const trouble = {
      end: 'unverified',
      errors: expect.arrayContaining([expect.objectContaining({ code: 'AGENT_INVALID_OUTPUT' })]),
      next: expect.arrayContaining([
        { purpose: 'get the work that was made', command: `muster recover ${run?.id}` },
      ]),
    }
    expect(run).toMatchObject(trouble)
    expect(report?.runs).toMatchObject([trouble])
  })

  it('waits at a gate, and goes the way of the decision', async () => {
    const tester = `mkdir -p t; echo 'test -f work.txt' > t/work.sh; ${answering({ summary: 'a test' })}`
    const scripts = { tester, developer: WRITE, reviewer: APPROVED }
    const checks = ['for f in t/*.sh; do [ ! -f "$f" ] || sh "$f" || exit 1; done']
    await using repository = await testRepository(runProject(scripts, { checks }))
    const jobId = await startJob(shared.client, repository, { playbook: { name: 'tdd', inputs: {} } })
    await until(async () => (await pendingOf(jobId)).length > 0)
    const [question] = await pendingOf(jobId)
    expect(question).toMatchObject({ action: { type: 'gate', stage: 'tests_gate' } })
    take(await shared.client.allowApproval(question?.id ?? '', {}))
    const job = await waitForJob(shared.client, jobId)
    expect(await outcomesOf(shared.client, jobId)).toEqual([
      'tests: done',
      'red: fail',
      'tests_gate: allowed',
      'implement: done',
      'check: pass',
      'review: APPROVED',
    ])
    expect(await repository.git('show', `${job.workingBranch}:t/work.sh`)).toBe('test -f work.txt')
  })

  it('rejects work that changes the files of an earlier stage that it must keep', async () => {
    const tester = `mkdir -p t; echo 'test -f work.txt' > t/work.sh; ${answering({ summary: 'a test' })}`
    const developer = `echo 'true' > t/work.sh; ${WRITE}`
    const checks = ['for f in t/*.sh; do [ ! -f "$f" ] || sh "$f" || exit 1; done']
    const project = runProject({ tester, developer, reviewer: APPROVED }, { checks })
    await using repository = await testRepository(project)
    const jobId = await startJob(shared.client, repository, {
      playbook: { name: 'tdd', inputs: { gate: 'no' } },
    })
    await until(async () => (await pendingOf(jobId)).length > 0)
    const [trouble] = await pendingOf(jobId)
    expect(trouble).toMatchObject({ action: { stage: 'implement', isTrouble: true } })
    take(await shared.client.denyApproval(trouble?.id ?? '', {}))
    await until(async () => (await pendingOf(jobId)).some(({ id }) => id !== trouble?.id))
    expect(await outcomesOf(shared.client, jobId)).toEqual(['tests: done', 'red: fail', 'implement: failed'])
    expect(await pendingOf(jobId)).toMatchObject([
      {
        action: { stage: 'end.partial', shows: [{ text: expect.stringContaining('t/work.sh') }] },
      },
    ])
    take(await shared.client.cancelJob(jobId))
  })
})

describe('work that a person denied at a gate', () => {
  const playbook = (denied: string) =>
    JSON.stringify({
      version: 1,
      name: 'gated',
      description: 'One developer and a gate.',
      roles: { developer: { mode: 'write', prompt: './developer.md', agents: ['worker'] } },
      limits: { minutes: 10, parallel: 1 },
      start: 'implement',
      stages: {
        implement: {
          role: 'developer',
          from: 'head',
          sees: ['goal'],
          output: 'change',
          minutes: 5,
          on: { done: 'ask', failed: 'end.failed' },
        },
        ask: {
          gate: { ask: 'Land this?', shows: ['diff'], hours: 1 },
          on: { allowed: 'end.land', denied, expired: 'end.failed' },
        },
      },
      result: { partial: 'land' },
    })

  it.each(['end.land', 'end.partial', 'end.done'])(
    'does not land and is not lost, even if the playbook leads to %s',
    async (denied) => {
      await using repository = await testRepository({
        ...runProject({ developer: WRITE }),
        '.muster/playbooks/gated/playbook.yaml': playbook(denied),
        '.muster/playbooks/gated/developer.md': 'You write a line.',
      })
      const jobId = await startJob(shared.client, repository, { playbook: { name: 'gated', inputs: {} } })
      await until(async () => (await pendingOf(jobId)).length > 0)
      const [question] = await pendingOf(jobId)
      take(await shared.client.denyApproval(question?.id ?? '', {}))
      await waitForJob(shared.client, jobId)
      expect(take(await shared.client.listLandings({ job: jobId })).items).toEqual([])
      expect(take(await shared.client.listPinned({ job: jobId })).items).toMatchObject([
        { status: 'unlanded' },
      ])
    },
  )
})

describe('a run cannot start', () => {
  it('without its playbook, with wrong inputs, or with nobody for a role, and nothing is stored', async () => {
    await using repository = await testRepository(runProject({ developer: WRITE, reviewer: APPROVED }))
    const start = (name: string, inputs = {}) =>
      shared.client.startJob({
        repositoryPath: repository.path,
        requestDocument: 'x',
        playbook: { name, inputs },
      })
    expect(await start('reviewd')).toMatchObject({ ok: false, failure: { type: 'playbook-not-found' } })
    expect(await start('best-of', { n: 99 })).toMatchObject({
      ok: false,
      failure: {
        type: 'playbook-input-invalid',
        message: expect.stringContaining('a whole number from 2 to 8'),
      },
    })
    const only = {
      agents: { two: { provider: 'command', command: ['true'], roles: ['reviewer'] } },
    }
    await writeFile(join(repository.path, 'muster.yaml'), JSON.stringify(only))
    const absent = await start('reviewed')
    expect(absent.ok).toBe(false)
    const { items } = take(await shared.client.listJobs({ limit: 100 }))
    expect(items.filter(({ repositoryPath }) => repositoryPath === repository.path)).toEqual([])
  })
})
