import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MusterClient, WireEvent } from '../../src/client/index.ts'
import { randomPart } from '../../src/domain/short-id.ts'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { startJob, tasksOf } from '../support/run-job.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { until, waitForJob } from '../support/test-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

const shared = shareDaemon()

const BROKEN = 'echo "expected fixed.txt to exist"; test -f fixed.txt'
const ONE = { description: 'write the file', script: commitFile('one.txt', 'one') }
const FIX = { description: 'pass on main', script: commitFile('fixed.txt', 'fixed') }

const withSetup = (project: ReturnType<typeof shellProject>, setup: readonly string[]) => ({
  ...project,
  'muster.yaml': JSON.stringify({ ...JSON.parse(project['muster.yaml']), setup }),
})

const statusOf = async (client: MusterClient, jobId: string) => take(await client.getJob(jobId)).baseStatus
const eventsOf = async (client: MusterClient, jobId: string): Promise<readonly WireEvent[]> =>
  take(await client.listEvents(jobId, { limit: 500 })).items
const typesOf = async (client: MusterClient, jobId: string) =>
  (await eventsOf(client, jobId)).map(({ type }) => type)

async function asking(client: MusterClient, jobId: string): Promise<void> {
  await until(async () => (await statusOf(client, jobId)) === 'asking')
}

describe('a base that fails its checks', () => {
  it('is reported before any agent starts, with the output and the choices', async () => {
    const { client, home } = shared
    await using repository = await testRepository(shellProject([ONE], { checks: ['true', BROKEN] }))
    const jobId = await startJob(client, repository)
    await asking(client, jobId)
    const types = await typesOf(client, jobId)
    expect(types).toEqual(['job_started', 'base_checking', 'base_checked'])
    expect(take(await client.listSessions({ job: jobId })).items).toEqual([])
    const [waiting] = take(await client.getJob(jobId)).waiting ?? []
    expect(waiting).toMatchObject({ waitsFor: 'person', next: `muster base ${jobId}` })
    expect(waiting?.why).toContain('fails on main')
    expect(take(await client.status()).waiting.map(({ id }) => id)).toContain(jobId)

    const shown = await runCommandLine(['base', jobId], { home: home.home })
    expect(shown.stdout).toContain('expected fixed.txt to exist')
    for (const choice of ['continue', 'fix', 'retry', 'stop']) {
      expect(shown.stdout).toMatch(new RegExp(`base job_${randomPart(jobId).slice(0, 4)}\\w* ${choice}`))
    }
    const stopped = await runCommandLine(['base', jobId, 'stop'], { home: home.home })
    expect(stopped.code).toBe(0)
    expect(take(await client.getJob(jobId))).toMatchObject({ status: 'cancelled' })
    expect(await client.decideBase(jobId, 'continue')).toMatchObject({
      ok: false,
      failure: { type: 'base-not-asked' },
    })
  })

  it('is not held against the work after the decision to continue, and nothing says that it passed', async () => {
    const { client } = shared
    await using repository = await testRepository(shellProject([ONE], { checks: [BROKEN, 'true'] }))
    const jobId = await startJob(client, repository, { maxCycles: 1 })
    await asking(client, jobId)
    take(await client.decideBase(jobId, 'continue'))
    const job = await waitForJob(client, jobId)
    expect(await tasksOf(client, jobId)).toMatchObject([{ status: 'completed' }])
    const [landing] = take(await client.listLandings({ job: jobId })).items
    expect(landing).toMatchObject({
      status: 'landed',
      checks: [
        { command: BROKEN, passed: false, failedOnBase: true, tree: landing?.tree },
        { command: 'true', passed: true, tree: landing?.tree },
      ],
    })
    const checked = (await eventsOf(client, jobId)).find(({ type }) => type === 'landing_checked')
    expect(checked).toMatchObject({ data: { passed: 1, tolerated: [BROKEN] } })
    const message = await repository.git('log', '-1', '--merges', '--format=%B', job.workingBranch)
    expect(message).toContain(`Muster-May-Fail: ${BROKEN}`)
    const [report] = take(await client.listReports({ job: jobId })).items
    expect(report?.notReady.join()).toContain('also fails on the base')
    const ended = await runCommandLine(['watch', jobId], { home: shared.home.home })
    expect(ended.stdout).toContain(`"${BROKEN}" fails on main and still fails with this work`)
    expect(ended.stdout).toContain('not ready to merge')
  })

  it('still rejects work that breaks what passed on the base', async () => {
    const { client } = shared
    await using repository = await testRepository(
      shellProject([ONE], { checks: [BROKEN, 'test ! -e one.txt'], limits: { maxAttempts: 1 } }),
    )
    const jobId = await startJob(client, repository, { maxCycles: 1, failingBase: 'continue' })
    await waitForJob(client, jobId)
    expect(await typesOf(client, jobId)).toContain('base_decided')
    expect(await tasksOf(client, jobId)).toMatchObject([{ status: 'failed' }])
  })

  it('is fixed first by a task that no planner made, in a cycle that does not count', async () => {
    const { client } = shared
    await using repository = await testRepository(shellProject([FIX], { checks: [BROKEN] }))
    const jobId = await startJob(client, repository, { maxCycles: 1 })
    await asking(client, jobId)
    take(await client.decideBase(jobId, 'fix'))
    const job = await waitForJob(client, jobId)
    expect(job).toMatchObject({ status: 'completed', reason: 'goal-reached', baseStatus: 'fixed' })
    expect(await tasksOf(client, jobId)).toMatchObject([{ status: 'completed', origin: { type: 'base' } }])
    expect(await repository.git('show', `${job.workingBranch}:fixed.txt`)).toBe('fixed')
  })

  it('asks again if the fix does not land', async () => {
    const { client } = shared
    await using repository = await testRepository(
      shellProject([{ ...FIX, script: commitFile('other.txt', 'x') }], {
        checks: [BROKEN],
        limits: { maxAttempts: 1 },
      }),
    )
    const jobId = await startJob(client, repository, { failingBase: 'fix' })
    await asking(client, jobId)
    expect(await typesOf(client, jobId)).toContain('base_fix_ended')
    take(await client.decideBase(jobId, 'stop'))
  })

  it('ends the job before anything is paid if it was started with `stop`', async () => {
    const { client } = shared
    await using repository = await testRepository(shellProject([ONE], { checks: [BROKEN] }))
    const jobId = await startJob(client, repository, { failingBase: 'stop' })
    const job = await waitForJob(client, jobId)
    expect(job).toMatchObject({ status: 'error' })
    expect(job.lastError).toContain('already fails on main')
    const base = await runCommandLine(['base', jobId], { home: shared.home.home })
    expect(base.stdout).toMatch(/^main at \w{10} failed; the job was stopped\n/)
    expect(take(await client.listSessions({ job: jobId })).items).toEqual([])
  })
})

/** At the same time, because Muster tries a failing setup again after some seconds. */
describe.concurrent('a base whose setup fails', () => {
  it('leaves nothing to continue with, but an agent can fix it without running it', async () => {
    const { client } = shared
    const files = withSetup(shellProject([FIX]), ['test -f fixed.txt'])
    await using repository = await testRepository(files)
    const jobId = await startJob(client, repository)
    await asking(client, jobId)
    expect(take(await client.getBase(jobId))).toMatchObject({
      results: [{ command: 'test -f fixed.txt', isSetup: true, passed: false }],
      choices: ['fix', 'retry', 'stop'],
    })
    expect(await client.decideBase(jobId, 'continue')).toMatchObject({
      ok: false,
      failure: { type: 'base-setup-fails' },
    })
    take(await client.decideBase(jobId, 'retry'))
    const verdicts = async () => (await typesOf(client, jobId)).filter((type) => type === 'base_checked')
    await until(async () => (await verdicts()).length === 2)
    await asking(client, jobId)
    take(await client.decideBase(jobId, 'fix'))
    expect(await waitForJob(client, jobId)).toMatchObject({ reason: 'goal-reached', baseStatus: 'fixed' })
  })

  it('is named as the reason of a job that was stopped because of it, and asks for nothing more', async () => {
    const { client } = shared
    const files = withSetup(shellProject([ONE]), ['test -f nothing.txt'])
    await using repository = await testRepository(files)
    const jobId = await startJob(client, repository)
    await asking(client, jobId)
    take(await client.decideBase(jobId, 'stop'))
    expect(await waitForJob(client, jobId)).toMatchObject({ reason: 'the setup fails on its base' })
    expect(await client.decideBase(jobId, 'continue')).toMatchObject({
      failure: { type: 'base-not-asked', next: expect.stringMatching(/^muster run /) },
    })
    const base = await runCommandLine(['base', jobId], { home: shared.home.home })
    expect(base.stdout).toMatch(/^main at \w{10} failed; the job was stopped\n {2}setup failed/)
    const ended = await runCommandLine(['watch', jobId], { home: shared.home.home })
    expect(ended.stdout).toMatch(/try: muster .*base job_/)
  })
})

it('names setup if a job without checks has a setup that changes tracked files', async () => {
  const { client } = shared
  const files = withSetup(shellProject([ONE], { checks: [] }), ['true', 'echo more >> .gitignore'])
  await using repository = await testRepository({ ...files, '.gitignore': 'dist\n' })
  const jobId = await startJob(client, repository)
  await asking(client, jobId)
  const command = 'true; echo more >> .gitignore'
  expect(take(await client.getBase(jobId)).results).toMatchObject([{ command, isSetup: true, passed: false }])
  const checked = (await eventsOf(client, jobId)).find(({ type }) => type === 'base_checked')
  expect(checked).toMatchObject({ data: { failures: [{ command, isAltered: true }] } })
  take(await client.cancelJob(jobId))
})

describe('a base that passes its checks', () => {
  it('is checked once for jobs that start together, survives the end of one, and is known to the next', async () => {
    const { client } = shared
    await using outside = await temporaryDirectory()
    const runs = join(outside.path, 'runs')
    const gate = join(outside.path, 'gate')
    const check = `if [ ! -e one.txt ]; then echo run >> ${runs}; until [ -e ${gate} ]; do sleep 0.05; done; fi`
    await using repository = await testRepository(shellProject([ONE], { checks: [check] }))
    const first = await startJob(client, repository)
    const second = await startJob(client, repository)
    await until(async () => (await readFile(runs, 'utf8').catch(() => '')) !== '')
    take(await client.cancelJob(first))
    await writeFile(gate, '')
    expect(await waitForJob(client, second)).toMatchObject({ reason: 'goal-reached', baseStatus: 'passed' })
    const third = await startJob(client, repository)
    expect(await waitForJob(client, third)).toMatchObject({ reason: 'goal-reached', baseStatus: 'passed' })
    expect(await typesOf(client, third)).not.toContain('base_checking')
    expect(await readFile(runs, 'utf8')).toBe('run\n')
  })

  it('shows which setup command or check is running, however much setup printed', async () => {
    const { client, home } = shared
    await using outside = await temporaryDirectory()
    const gate = (name: string) => `until [ -e ${join(outside.path, name)} ]; do sleep 0.05; done`
    const project = shellProject([ONE], { checks: ['true', gate('check')] })
    const files = withSetup(project, ['seq 6000', gate('setup')])
    await using repository = await testRepository(files)
    const jobId = await startJob(client, repository)
    const runningWhen = async (isSetup: boolean) => {
      await until(async () => {
        const { running } = take(await client.getBase(jobId))
        return running?.isSetup === isSetup && running.number === 2
      })
      return take(await client.getBase(jobId)).running
    }
    expect(await runningWhen(true)).toEqual({
      ...{ command: gate('setup'), isSetup: true, number: 2, of: 2, isAgain: false },
    })
    const shown = await runCommandLine(['status', jobId], { home: home.home })
    expect(shown.stdout).toContain('  checking the base first: setup 2 of 2: until [ -e ')
    const all = await runCommandLine(['status'], { home: home.home })
    expect(all.stdout).toContain('  checking the base first: setup 2 of 2: until [ -e ')
    await writeFile(join(outside.path, 'setup'), '')
    expect(await runningWhen(false)).toMatchObject({ command: gate('check'), number: 2, of: 2 })
    const base = await runCommandLine(['base', jobId], { home: home.home })
    expect(base.stdout).toMatch(/ is being checked: check 2 of 2: until .*\n {2}check passed: true\n/)
    await writeFile(join(outside.path, 'check'), '')
    expect(await waitForJob(client, jobId)).toMatchObject({ baseStatus: 'passed' })
    expect(take(await client.getBase(jobId)).running).toBeUndefined()
  })

  it('is checked again if the job that had it checked is cancelled and another starts', async () => {
    const { client } = shared
    await using outside = await temporaryDirectory()
    const gate = join(outside.path, 'gate')
    const check = `until [ -e ${gate} ]; do sleep 0.05; done`
    await using repository = await testRepository(shellProject([ONE], { checks: [check] }))
    const first = await startJob(client, repository)
    take(await client.cancelJob(first))
    const second = await startJob(client, repository)
    await writeFile(gate, '')
    expect(await waitForJob(client, second)).toMatchObject({ reason: 'goal-reached', baseStatus: 'passed' })
  })
})
