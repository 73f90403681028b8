import { existsSync } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentText } from '../support/agent-output.ts'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { take } from '../support/take.ts'
import { testHome, until, waitForJob } from '../support/test-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

describe('the embedded database, killed with SIGKILL,', () => {
  it('is restarted by the daemon, and no acknowledged job or line is lost', async () => {
    await using home = await testHome()
    await using repository = await testRepository(
      shellProject([
        {
          description: 'talk for a while',
          script: `for i in 1 2 3 4 5 6 7 8 9; do echo "says $i"; sleep 0.3; done; ${commitFile('a.txt', 'a')}`,
        },
      ]),
    )
    const daemon = await home.start()
    const acknowledged: string[] = []
    const start = async () => {
      const started = await daemon.client.startJob({
        repositoryPath: repository.path,
        requestDocument: 'Talk.',
      })
      if (started.ok) acknowledged.push(started.value.id)
      return started
    }
    const first = await start()
    if (!first.ok) throw new Error(JSON.stringify(first.failure))
    for (let kill = 0; kill < 3; kill += 1) {
      await until(async () => (await daemon.client.ready()).ok)
      const postmaster = Number(
        (await readFile(join(home.home, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0],
      )
      process.kill(postmaster, 'SIGKILL')
      const refused = await start()
      if (!refused.ok) expect([503, 0]).toContain(refused.failure.status)
    }
    await until(async () => (await start()).ok)
    for (const jobId of acknowledged) {
      expect(await waitForJob(daemon.client, jobId)).toMatchObject({
        status: 'completed',
        reason: 'goal-reached',
      })
    }
    const events = await daemon.client.listEvents(first.value.id, { limit: 500 })
    if (!events.ok) throw new Error(events.failure.message)
    const said = events.value.items.map(agentText).filter((text) => text.startsWith('says'))
    expect(said).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => `says ${number}`))
    expect(daemon.process.exitCode).toBeNull()
  }, 240_000)
})

describe('the socket of the embedded database, deleted under a running daemon,', () => {
  it('is restored before the daemon or doctor says that it is ready', async () => {
    await using home = await testHome()
    const daemon = await home.start()
    const socket = join(home.home, 'postgres/run/.s.PGSQL.5432')
    await rm(socket)
    const doctor = await runCommandLine(['doctor'], { home: home.home, environment: {} })
    expect(doctor.stdout).toMatch(/ok +database +built-in PostgreSQL is ready/)
    expect((await stat(socket)).isSocket()).toBe(true)
    expect(await daemon.client.ready()).toMatchObject({ ok: true })
  }, 120_000)

  it('is restored when a job needs more connections', async () => {
    await using home = await testHome()
    await using repository = await testRepository(
      shellProject([{ description: 'add a file', script: commitFile('a.txt', 'a') }]),
    )
    const daemon = await home.start()
    const socket = join(home.home, 'postgres/run/.s.PGSQL.5432')
    await rm(socket)
    const start = () =>
      daemon.client.startJob({ repositoryPath: repository.path, requestDocument: 'Add a file.' })
    let started = await start()
    await until(async () => {
      if (!started.ok) started = await start()
      return started.ok
    })
    const job = take(started)
    await until(() => existsSync(socket))
    expect(await waitForJob(daemon.client, job.id)).toMatchObject({ reason: 'goal-reached' })
  }, 120_000)
})
