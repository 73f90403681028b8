import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { quickHome } from '../support/quick-home.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { startJob, tasksOf } from '../support/run-job.ts'
import { take } from '../support/take.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { startDaemon, until, waitForJob } from '../support/test-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

/** Commands must use the embedded database, also where the tests have another one. */
const EMBEDDED = { MUSTER_SANDBOX: 'none' }

describe('a backup of a running home', () => {
  it('becomes a home in which the job goes on and keeps the work that had landed', async () => {
    await using directory = await temporaryDirectory('muster-backup')
    const go = join(directory.path, 'go')
    await using repository = await testRepository(
      shellProject([
        { description: 'write the first file', script: commitFile('one.txt', 'one') },
        {
          description: 'write the second file',
          script: `until test -e ${go}; do sleep 0.1; done; ${commitFile('two.txt', 'two')}`,
        },
      ]),
    )
    const file = join(directory.path, 'muster.tar')
    const restored = join(directory.path, 'restored')
    const jobId = await (async () => {
      await using home = await quickHome()
      const { client } = await home.start()
      const id = await startJob(client, repository)
      await until(async () => {
        const states = (await tasksOf(client, id)).map(({ status }) => status)
        return states.includes('completed') && states.includes('running')
      })
      const made = await runCommandLine(['--json', 'backup', file], { home: home.home })
      expect(made).toMatchObject({ code: 0 })
      expect(JSON.parse(made.stdout)).toMatchObject({ data: { status: 'done', hubs: 1, problems: [] } })
      const again = await runCommandLine(['backup', file], { home: home.home })
      expect(again).toMatchObject({ code: 1 })
      expect(again.stderr).toContain('already exists')
      expect(await readdir(directory.path)).toEqual(['muster.tar'])
      const running = await runCommandLine(['restore', file, '--force'], { home: home.home })
      expect(running).toMatchObject({ code: 3 })
      expect(running.stderr).toContain('a daemon is running')
      take(await client.cancelJob(id))
      await waitForJob(client, id)
      return id
    })()

    const made = await runCommandLine(['restore', file], { home: restored, environment: EMBEDDED })
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('restored') })
    await using daemon = await startDaemon(restored, EMBEDDED)
    const { client } = daemon
    await until(async () => {
      const sessions = take(await client.listSessions({ job: jobId })).items
      return sessions.some(
        ({ status, end }) => status === 'terminated' && JSON.stringify(end).includes('lost'),
      )
    })
    await writeFile(go, '')
    const job = await waitForJob(client, jobId)
    expect(job).toMatchObject({ status: 'completed', reason: 'goal-reached' })
    expect(await repository.git('show', `${job.workingBranch}:one.txt`)).toBe('one')
    expect(await repository.git('show', `${job.workingBranch}:two.txt`)).toBe('two')
    const subjects = await repository.git('log', '--no-merges', '--format=%s', job.workingBranch)
    expect(subjects.split('\n').filter((subject) => subject === 'Add one.txt')).toHaveLength(1)
    expect(take(await client.verifyAudit())).toMatchObject({ status: 'intact' })
    const actions = take(await client.listAudit({ limit: 200 })).items.map(({ action }) => action)
    expect(actions).toContain('home-restore')
  })
})

describe('restoring', () => {
  it('moves a home aside if asked to, and refuses what is not a backup', async () => {
    await using directory = await temporaryDirectory('muster-restore')
    const home = join(directory.path, 'home')
    const file = join(directory.path, 'muster.tar')
    const options = { home, environment: EMBEDDED }
    expect(await runCommandLine(['backup', file], options)).toMatchObject({ code: 0 })
    const token = await readFile(join(home, 'token'), 'utf8')
    await runCommandLine(['shutdown'], options)

    const refused = await runCommandLine(['restore', file], options)
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('not empty') })
    const moved = await runCommandLine(['--json', 'restore', file, '--force'], options)
    expect(moved).toMatchObject({ code: 0 })
    const { movedTo } = JSON.parse(moved.stdout).data
    expect(await readFile(join(movedTo, 'token'), 'utf8')).toBe(token)
    expect(existsSync(join(home, 'token'))).toBe(false)
    expect(await runCommandLine(['status'], options)).toMatchObject({ code: 0 })
    await runCommandLine(['shutdown'], options)

    const elsewhere = { ...options, home: join(directory.path, 'elsewhere') }
    const cut = join(directory.path, 'cut.tar')
    await writeFile(cut, (await readFile(file)).subarray(0, -2000))
    const damaged = await runCommandLine(['restore', cut], elsewhere)
    expect(damaged).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be read') })
    expect(existsSync(elsewhere.home)).toBe(false)
    await mkdir(elsewhere.home)
    await writeFile(join(elsewhere.home, 'precious'), '')
    const foreign = await runCommandLine(['restore', file, '--force'], elsewhere)
    expect(foreign).toMatchObject({ code: 3, stderr: expect.stringContaining('not empty') })
    expect(await readdir(elsewhere.home)).toEqual(['precious'])
  })
})
