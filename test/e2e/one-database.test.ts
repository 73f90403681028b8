import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { takeOwnership } from '../../src/adapters/store/postgres/installation.ts'
import type { MusterClient } from '../../src/client/index.ts'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { startJob } from '../support/run-job.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { startDaemon, until, waitForJob } from '../support/test-daemon.ts'
import { createEmptyDatabase, createTestDatabase, urlOf } from '../support/test-database.ts'
import { testRepository } from '../support/test-repository.ts'

async function isWorking(client: MusterClient): Promise<boolean> {
  const sessions = await client.listSessions({ status: 'running', role: 'worker' })
  return sessions.ok && sessions.value.items.length === 1
}

describe('a database that two homes share', () => {
  it('has one daemon at a time: the second is refused until the first is dead', async () => {
    await using directory = await temporaryDirectory('muster-homes')
    const [first, second] = [join(directory.path, 'first'), join(directory.path, 'second')]
    const environment = { MUSTER_DATABASE_URL: urlOf(await createTestDatabase()) }
    const go = join(directory.path, 'go')
    const script = `until [ -f ${go} ]; do sleep 0.05; done; ${commitFile('a.txt', 'a')}`
    await using repository = await testRepository(shellProject([{ description: 'wait', script }]))
    const daemon = await startDaemon(first, environment)
    const jobId = await startJob(daemon.client, repository)
    const runningWorkers = async () => {
      const sessions = await daemon.client.listSessions({ status: 'running', role: 'worker' })
      return sessions.ok && sessions.value.items.length === 1
    }
    await until(runningWorkers)

    const refused = await runCommandLine(['serve'], { home: second, environment })
    expect(refused.code).toBe(5)
    expect(refused.stderr).toContain('another daemon uses this database')
    expect(refused.stderr).toContain(`pid ${daemon.pid}`)
    expect(refused.stderr).toContain('try: ')
    const command = await runCommandLine(['status'], { home: second, environment })
    expect(command.code).toBe(5)
    expect(command.stderr).toContain('another daemon uses this database')

    expect(await runningWorkers()).toBe(true)
    await writeFile(go, '')
    expect(await waitForJob(daemon.client, jobId)).toMatchObject({ reason: 'goal-reached' })

    await daemon.kill()
    const foreign = await runCommandLine(['status'], { home: second, environment })
    expect(foreign.code).toBe(5)
    expect(foreign.stderr).toContain(`this database belongs to another home (${first}`)
    expect(foreign.stderr).toContain('muster serve --adopt-database')
    await using next = await startDaemon(second, environment, ['--adopt-database'])
    expect(await next.client.getJob(jobId)).toMatchObject({ ok: true })
    const former = await runCommandLine(['serve'], { home: first, environment })
    expect(former.stderr).toContain('another daemon uses this database')
  })

  it("leaves a stopped home's sessions alone: a second home is refused before anything is ended", async () => {
    await using directory = await temporaryDirectory('muster-homes')
    const environment = { MUSTER_DATABASE_URL: urlOf(await createTestDatabase()) }
    const go = join(directory.path, 'go')
    const script = `until [ -f ${go} ]; do sleep 0.05; done; ${commitFile('a.txt', 'a')}`
    await using repository = await testRepository(shellProject([{ description: 'wait', script }]))
    const first = join(directory.path, 'first')
    const daemon = await startDaemon(first, environment)
    const jobId = await startJob(daemon.client, repository)
    await until(async () => isWorking(daemon.client))
    await daemon.kill()

    const refused = await runCommandLine(['status'], { home: join(directory.path, 'second'), environment })
    expect(refused.code).toBe(5)
    await using again = await startDaemon(first, environment)
    expect(await isWorking(again.client)).toBe(true)
    await writeFile(go, '')
    expect(await waitForJob(again.client, jobId)).toMatchObject({ reason: 'goal-reached' })
  })

  it('refuses another database for a home whose agents are running, and touches neither', async () => {
    await using directory = await temporaryDirectory('muster-homes')
    const home = join(directory.path, 'home')
    const environment = { MUSTER_DATABASE_URL: urlOf(await createTestDatabase()) }
    const other = await createEmptyDatabase()
    const go = join(directory.path, 'go')
    const script = `until [ -f ${go} ]; do sleep 0.05; done; ${commitFile('a.txt', 'a')}`
    await using repository = await testRepository(shellProject([{ description: 'wait', script }]))
    const daemon = await startDaemon(home, environment)
    const jobId = await startJob(daemon.client, repository)
    await until(async () => isWorking(daemon.client))
    await daemon.stop()
    const hosts = await readdir(join(home, 'hosts'))

    const changed = { MUSTER_DATABASE_URL: urlOf(other) }
    const refused = await runCommandLine(['serve'], { home, environment: changed })
    expect(refused.code).toBe(5)
    expect(refused.stderr).toContain('was used with another database')
    expect(await readdir(join(home, 'hosts'))).toEqual(hosts)
    const client = new pg.Client({ ...other })
    await client.connect()
    const tables = await client.query(
      "select from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    )
    await client.end()
    expect(tables.rowCount).toBe(0)

    await using again = await startDaemon(home, environment)
    expect(await isWorking(again.client)).toBe(true)
    await writeFile(go, '')
    expect(await waitForJob(again.client, jobId)).toMatchObject({ reason: 'goal-reached' })
  })

  it("doesn't use an application's DATABASE_URL, and leaves its tables alone when told to share its database", async () => {
    await using directory = await temporaryDirectory('muster-homes')
    const application = await createEmptyDatabase()
    const client = new pg.Client({ ...application })
    await client.connect()
    await client.query("create table sessions (id text); insert into sessions values ('mine')")
    const tables = async () =>
      (await client.query("select tablename from pg_tables where schemaname = 'public'")).rows.map(
        ({ tablename }) => tablename,
      )
    {
      await using daemon = await startDaemon(join(directory.path, 'own'), {
        DATABASE_URL: urlOf(application),
      })
      expect(await daemon.client.status()).toMatchObject({ value: { daemon: { database: 'embedded' } } })
      const doctor = await runCommandLine(['doctor'], {
        home: daemon.home,
        environment: { DATABASE_URL: urlOf(application) },
      })
      expect(doctor.stdout).toContain('DATABASE_URL is set, but Muster ignores it')
    }
    const schemas = await client.query("select from pg_namespace where nspname in ('muster', 'pgboss')")
    expect(schemas.rowCount).toBe(0)
    const configuration = join(directory.path, 'config')
    await mkdir(join(configuration, 'muster'), { recursive: true })
    await writeFile(join(configuration, 'muster/config.yaml'), 'database: { env: DATABASE_URL }\n')
    {
      await using daemon = await startDaemon(join(directory.path, 'shared'), {
        DATABASE_URL: urlOf(application),
        XDG_CONFIG_HOME: configuration,
      })
      expect(await daemon.client.status()).toMatchObject({ value: { daemon: { database: 'external' } } })
    }
    expect(await tables()).toEqual(['sessions'])
    expect((await client.query('select id from public.sessions')).rows).toEqual([{ id: 'mine' }])
    await client.end()
  })

  it('ends a daemon that no longer owns its database, before it stores anything', async () => {
    await using directory = await temporaryDirectory('muster-homes')
    const connection = await createTestDatabase()
    await using repository = await testRepository(shellProject([]))
    await using daemon = await startDaemon(directory.path, { MUSTER_DATABASE_URL: urlOf(connection) })
    let output = ''
    daemon.process.stderr?.on('data', (chunk) => {
      output += chunk
    })
    const exited = once(daemon.process, 'exit')
    await takeOwnership(connection, { homeId: 'other', home: '/other' })
    const started = await daemon.client.startJob({
      repositoryPath: repository.path,
      requestDocument: 'Grow.',
    })
    expect(started.ok).toBe(false)
    await exited
    expect(daemon.process.exitCode).toBe(5)
    expect(output).toContain('this daemon no longer owns its database')
    const client = new pg.Client({ ...connection })
    await client.connect()
    expect((await client.query('select from muster.jobs')).rowCount).toBe(0)
    await client.end()
  })

  it('ends a daemon if another took its lock while its connection was broken', async () => {
    await using directory = await temporaryDirectory('muster-homes')
    const connection = await createTestDatabase()
    await using daemon = await startDaemon(directory.path, { MUSTER_DATABASE_URL: urlOf(connection) })
    let output = ''
    daemon.process.stderr?.on('data', (chunk) => {
      output += chunk
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
    expect(output).toContain('another daemon uses this database')
    await client.end()
    await other.end()
  })
})
