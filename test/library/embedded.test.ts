import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { atMost, createMuster, definePlaybook, type Muster, MusterError } from '../../src/library/index.ts'
import { APPROVED, REVISION, runProject, WRITE } from '../support/run-project.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { createTestDatabase, urlOf } from '../support/test-database.ts'
import { testRepository } from '../support/test-repository.ts'

/** One role that works, one that judges, and a gate. */
const CAREFUL = definePlaybook({
  name: 'careful',
  description: 'One developer, one reviewer and a person.',
  inputs: { gate: { type: 'choice', of: ['yes', 'no'], default: 'no' } },
  roles: {
    developer: { mode: 'write', prompt: 'You write lines.', agents: ['worker'] },
    reviewer: { mode: 'read', prompt: 'builtin/reviewer', agents: ['reviewer'], unlike: 'developer' },
  },
  limits: { minutes: 10 },
  start: 'implement',
  stages: {
    implement: {
      role: 'developer',
      from: 'head',
      sees: ['goal'],
      output: 'change',
      on: { done: 'check', failed: 'end.failed' },
    },
    check: { checks: 'project', on: { pass: 'review', fail: 'end.partial' } },
    review: {
      role: 'reviewer',
      sees: ['goal', 'diff'],
      output: 'review',
      on: {
        APPROVED: 'gate',
        NEEDS_REVISION: atMost(2, 'implement', 'end.partial'),
        REJECTED: 'end.partial',
        failed: 'end.unverified',
      },
    },
    gate: {
      gate: { ask: 'Land it?', shows: ['diff'], if: { 'inputs.gate': 'yes' } },
      on: { allowed: 'end.land', skipped: 'end.land', denied: 'end.partial', expired: 'end.partial' },
    },
  },
})

const SETTINGS = { MUSTER_SANDBOX: 'none', MUSTER_TRUST: 'all', MUSTER_STOP_GRACE_MS: '500' }

/** The daemon reads its settings from the environment of this process, as it does in a program of its users. */
async function useDatabase(): Promise<Record<string, string>> {
  const settings = { ...SETTINGS, MUSTER_DATABASE_URL: urlOf(await createTestDatabase()) }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  return settings
}

afterAll(() => vi.unstubAllEnvs())

describe('an embedded Muster', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>
  let muster: Muster
  beforeAll(async () => {
    directory = await temporaryDirectory('muster-home')
    await useDatabase()
    muster = await createMuster({ home: directory.path })
  })
  afterAll(async () => {
    await muster.close()
    await directory[Symbol.asyncDispose]()
  })

  it('runs a playbook of TypeScript, with its events, an approval and its result', async () => {
    await using repository = await testRepository(runProject({ developer: WRITE, reviewer: APPROVED }))
    const job = await muster.start(CAREFUL, 'Write a line', {
      repository: repository.path,
      inputs: { gate: 'yes' },
    })
    const stages: string[] = []
    for await (const event of job.events()) {
      if (event.type === 'stage_ended') stages.push(`${event.data.stage}: ${event.data.outcome}`)
      if (event.type !== 'approval_requested') continue
      const [approval] = await job.approvals()
      if (approval !== undefined) await muster.approve(approval)
    }
    expect(stages).toEqual(['implement: done', 'check: pass', 'review: APPROVED', 'gate: allowed'])
    const { job: ended, tasks, runs } = await job.result()
    expect(ended).toMatchObject({ status: 'completed', playbook: { name: 'careful', from: 'request' } })
    expect(tasks).toMatchObject([{ status: 'completed' }])
    expect(runs).toMatchObject([{ playbook: 'careful', end: 'land', hash: ended.playbook?.hash }])
    expect(await repository.git('show', `${ended.workingBranch}:work.txt`)).toBe('line')
  })

  it('runs a playbook by its name', async () => {
    const review = `if [ "$(grep -c . work.txt)" -ge 2 ]; then ${APPROVED}; else ${REVISION}; fi`
    await using repository = await testRepository(runProject({ developer: WRITE, reviewer: review }))
    const job = await muster.start('reviewed', 'Write two lines', { repository: repository.path })
    const { runs } = await job.result()
    expect(runs[0]?.counters).toEqual({ 'review.NEEDS_REVISION': 1 })
  })

  it('rejects an invalid playbook with every fault and its line, and starts nothing', async () => {
    await using repository = await testRepository(runProject({}))
    const broken = {
      name: 'careful',
      files: {
        ...CAREFUL.files,
        'playbook.yaml': String(CAREFUL.files['playbook.yaml']).replace('"check"', '"chekc"'),
      },
    }
    const failed = await muster
      .start(broken, 'x', { repository: repository.path })
      .catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(MusterError)
    expect(failed).toMatchObject({
      type: 'playbook-invalid',
      status: 422,
      details: { faults: expect.any(Array) },
    })
    expect(String(failed)).toMatch(/playbook\.yaml:\d+: there is no stage/)
    const { items } = await muster.client.listJobs().then((page) => (page.ok ? page.value : { items: [] }))
    expect(items.filter((job) => job.repositoryPath === repository.path)).toEqual([])
  })

  it('is found by a second one, which does not stop it', async () => {
    {
      await using second = await createMuster({ home: directory.path })
      expect(second.isEmbedded).toBe(false)
      expect(second.client.url).toBe(muster.client.url)
    }
    expect((await muster.client.health()).ok).toBe(true)
    await expect(createMuster({ home: directory.path, daemon: 'embedded' })).rejects.toThrow(
      'already running',
    )
  })
})

describe('the process of an embedded Muster', () => {
  it('can be killed: a second createMuster of the home continues the work', async () => {
    await using directory = await temporaryDirectory('muster-home')
    const environment = await useDatabase()
    const developer = `while [ ! -e ${directory.path}/go ]; do sleep 0.1; done; ${WRITE}`
    await using repository = await testRepository(runProject({ developer, reviewer: APPROVED }))
    const child = spawn(
      process.execPath,
      [resolve(import.meta.dirname, '../support/embedding-program.ts'), directory.path, repository.path],
      { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const jobId = await firstLine(child)
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    await using muster = await createMuster({ home: directory.path })
    expect(muster.isEmbedded).toBe(true)
    const job = muster.job(jobId)
    await writeFile(`${directory.path}/go`, '')
    const { job: ended, runs } = await job.result()
    expect(ended.status).toBe('completed')
    // The program was adopted, not started again.
    expect(runs[0]?.visits.map(({ stage, tries }) => `${stage} ${tries}`)).toContain('implement 1')
  })
})

async function firstLine(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk)
    if (text.includes('\n')) break
  }
  return text.trim()
}
