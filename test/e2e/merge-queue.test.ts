import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { WireApproval } from '../../src/client/index.ts'
import { auditLandings } from '../support/audit-landings.ts'
import { commitFile, type ShellTask, shellProject } from '../support/command-agents.ts'
import { runJob, startJob, tasksOf } from '../support/run-job.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { type TemporaryDirectory, temporaryDirectory } from '../support/temporary-directory.ts'
import { until, waitForJob } from '../support/test-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

// The decisions of the merge queue are tested in src/engine/landing. These tests show that its parts work together.

const shared = shareDaemon()

function fileTasks(count: number): readonly ShellTask[] {
  return Array.from({ length: count }, (_, index) => ({
    description: `write file ${index + 1}`,
    script: commitFile(`file-${index + 1}.txt`, `text ${index + 1}`),
  }))
}

const statusesOf = async (jobId: string) => (await tasksOf(shared.client, jobId)).map(({ status }) => status)

async function landingsOf(jobId: string) {
  return take(await shared.client.listLandings({ job: jobId })).items
}

async function approvalsOf(jobId: string): Promise<readonly WireApproval[]> {
  return take(await shared.client.listApprovals({ job: jobId, status: 'pending' })).items
}

async function nextApproval(jobId: string): Promise<WireApproval> {
  let found: WireApproval | undefined
  await until(async () => {
    found = (await approvalsOf(jobId)).at(0)
    return found !== undefined
  })
  if (found === undefined) throw new Error('there is no approval')
  return found
}

describe('the merge queue', () => {
  it('keeps the queues of two jobs on one repository apart', async () => {
    await using repository = await testRepository(shellProject(fileTasks(3)))
    const request = { maxParallelTasks: 8, maxCycles: 1 }
    const jobs = await Promise.all([
      runJob(shared.client, repository, request),
      runJob(shared.client, repository, request),
    ])
    for (const job of jobs) {
      expect(await statusesOf(job.id)).toEqual(['completed', 'completed', 'completed'])
      expect((await auditLandings(shared.client, repository, job)).length).toBeGreaterThan(0)
    }
  })

  it('does not reject work if the setup of its check fails once', async () => {
    await using marks = await temporaryDirectory()
    const project = shellProject(fileTasks(2))
    const configuration = JSON.parse(project['muster.yaml'])
    // The setup fails in the first check, as it does when a registry can't be reached, and never for an agent.
    const setup = `test -z "$MUSTER_CHECK" || ! mkdir ${marks.path}/failed-once`
    await using repository = await testRepository({
      ...project,
      'muster.yaml': JSON.stringify({ ...configuration, setup: [setup] }),
    })
    const job = await runJob(shared.client, repository, { maxCycles: 1 })
    expect(await statusesOf(job.id)).toEqual(['completed', 'completed'])
    const checks = (await landingsOf(job.id)).flatMap((landing) => landing.checks)
    expect(checks).not.toContainEqual(expect.objectContaining({ isFlaky: true }))
  })

  it('asks a person before work lands in mode approve, and shows the diff', async () => {
    await using repository = await testRepository(shellProject(fileTasks(1)))
    const jobId = await startJob(shared.client, repository, { mode: 'approve', maxCycles: 1 })
    const approval = await nextApproval(jobId)
    expect(approval).toMatchObject({
      jobId,
      action: { type: 'landing', diff: { patch: expect.stringContaining('+text 1') } },
    })
    expect(await landingsOf(jobId)).toMatchObject([{ status: 'checking' }])
    take(await shared.client.allowApproval(approval.id, { digest: approval.digest }))
    const job = await waitForJob(shared.client, jobId)
    expect(await statusesOf(jobId)).toEqual(['completed'])
    await auditLandings(shared.client, repository, job)
  })

  it('rejects work that a person denied, with their reason', async () => {
    await using repository = await testRepository(shellProject(fileTasks(1)))
    const jobId = await startJob(shared.client, repository, { mode: 'approve', maxCycles: 1 })
    take(await shared.client.denyApproval((await nextApproval(jobId)).id, { reason: 'not like this' }))
    await waitForJob(shared.client, jobId)
    expect(await tasksOf(shared.client, jobId)).toMatchObject([
      { status: 'failed', reason: expect.stringContaining('not like this') },
    ])
  })
})

describe('a base branch that moves while a job runs', () => {
  /** A job whose first check waits until the test opens the gate, and whose planners save their prompts there. */
  function twoCycles({ path }: TemporaryDirectory) {
    const waitForGate = `touch ${path}/checking; until [ -e ${path}/open ]; do sleep 0.05; done`
    const files = shellProject(fileTasks(2), { checks: [waitForGate, 'test ! -e broken.txt'] })
    const answer = (description: string) => JSON.stringify({ tasks: [{ description, files: [] }] })
    const done = JSON.stringify({ tasks: [], done: true, evidence: ['all is there'] })
    return {
      ...files,
      'tools/planner.sh': `case "$MUSTER_CYCLE" in
1) echo '${answer('write file 1')}' ;;
2) echo '${answer('write file 2')}' ;;
*) cp "$MUSTER_PROMPT_FILE" ${path}/prompt-3; echo '${done}' ;;
esac
`,
    }
  }

  /** Starts a job, and commits these files to its base branch while the first check runs. */
  async function moveBaseUnder(
    gate: TemporaryDirectory,
    files: Readonly<Record<string, string>>,
    mode = 'auto',
  ) {
    const repository = await testRepository(twoCycles(gate))
    const jobId = await startJob(shared.client, repository, {
      maxCycles: 5,
      mode: mode as 'auto' | 'approve',
    })
    await until(async () => (await readdir(gate.path)).includes('checking'))
    await repository.write(files)
    await repository.commit('commit something else')
    await writeFile(join(gate.path, 'open'), '')
    const moved = await repository.git('rev-parse', 'main')
    return { jobId, repository, moved, [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose]() }
  }

  it('is merged into the working branch if its checks pass', async () => {
    await using gate = await temporaryDirectory()
    await using base = await moveBaseUnder(gate, { 'theirs.txt': 'theirs' })
    const job = await waitForJob(shared.client, base.jobId)
    expect(job.status).toBe('completed')
    await base.repository.git('merge-base', '--is-ancestor', base.moved, job.workingBranch)
    expect(await base.repository.git('show', `${job.workingBranch}:theirs.txt`)).toBe('theirs')
  })

  it('is not merged if its checks fail, and the planner reads why', async () => {
    await using gate = await temporaryDirectory()
    await using base = await moveBaseUnder(gate, { 'broken.txt': 'broken' })
    const job = await waitForJob(shared.client, base.jobId)
    expect(await base.repository.git('ls-tree', '--name-only', job.workingBranch)).not.toContain('broken.txt')
    const prompt = await readFile(join(gate.path, 'prompt-3'), 'utf8')
    expect(prompt).toContain(`main has moved to ${base.moved}`)
    expect(prompt).toContain(`git merge ${base.moved}`)
  })

  it('leaves no approval request behind if the job is cancelled before a person decides', async () => {
    await using gate = await temporaryDirectory()
    await using base = await moveBaseUnder(gate, { 'theirs.txt': 'theirs' }, 'approve')
    const first = await nextApproval(base.jobId)
    take(await shared.client.allowApproval(first.id))
    await until(async () => {
      const summaries = (await approvalsOf(base.jobId)).map(({ summary }) => summary)
      return summaries.includes('new commits on main want to land')
    })
    take(await shared.client.cancelJob(base.jobId))
    await until(async () => (await approvalsOf(base.jobId)).length === 0)
  })
})
