import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { startDaemon, until, waitForJob } from '../support/test-daemon.ts'
import { createTestDatabase, urlOf } from '../support/test-database.ts'
import { testRepository } from '../support/test-repository.ts'

describe('two homes on one database', () => {
  it('get one daemon at a time: the second is refused, and starts after the first was killed', async () => {
    await using directory = await temporaryDirectory('muster-homes')
    const [first, second] = [join(directory.path, 'first'), join(directory.path, 'second')]
    const environment = { DATABASE_URL: urlOf(await createTestDatabase()) }
    const go = join(directory.path, 'go')
    const script = `until [ -f ${go} ]; do sleep 0.05; done; ${commitFile('a.txt', 'a')}`
    await using repository = await testRepository(shellProject([{ description: 'wait', script }]))
    const daemon = await startDaemon(first, environment)
    const started = await daemon.client.startJob({
      repositoryPath: repository.path,
      requestDocument: 'Wait for the word.',
    })
    if (!started.ok) throw new Error(started.failure.message)
    const runningWorkers = async () => {
      const sessions = await daemon.client.listSessions({ status: 'running', role: 'worker' })
      return sessions.ok && sessions.value.items.length === 1
    }
    await until(runningWorkers)

    const refused = await runCommandLine(['serve'], { home: second, environment })
    expect(refused.code).toBe(5)
    expect(refused.stderr).toContain('another daemon uses this database')
    expect(refused.stderr).toContain(`pid ${daemon.pid}`)
    expect(refused.stderr).toContain('next: ')
    const command = await runCommandLine(['status'], { home: second, environment })
    expect(command.code).toBe(5)
    expect(command.stderr).toContain('another daemon uses this database')

    expect(await runningWorkers()).toBe(true)
    await writeFile(go, '')
    expect(await waitForJob(daemon.client, started.value.id)).toMatchObject({ reason: 'goal-reached' })

    await daemon.kill()
    await using next = await startDaemon(second, environment)
    expect(await next.client.getJob(started.value.id)).toMatchObject({ ok: true })
  }, 180_000)

  it('end the daemon whose lock was taken by another while its connection was broken', async () => {
    await using directory = await temporaryDirectory('muster-homes')
    const connection = await createTestDatabase()
    await using daemon = await startDaemon(directory.path, { DATABASE_URL: urlOf(connection) })
    let said = ''
    daemon.process.stderr?.on('data', (chunk) => {
      said += chunk
    })
    const client = new pg.Client({ ...connection })
    await client.connect()
    const other = new pg.Client({ ...connection })
    await other.connect()
    const exited = once(daemon.process, 'exit')
    const waiting = other.query('select pg_advisory_lock(1297437524, 1)')
    const locks = `from pg_locks where locktype = 'advisory' and classid = 1297437524
      and database = (select oid from pg_database where datname = current_database())`
    await until(async () => (await client.query(`select 1 ${locks} and not granted`)).rowCount === 1)
    await client.query(`select pg_terminate_backend(pid) ${locks} and granted`)
    await waiting
    await exited
    expect(daemon.process.exitCode).toBe(5)
    expect(said).toContain('another daemon uses this database')
    await client.end()
    await other.end()
  }, 120_000)
})
