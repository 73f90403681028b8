import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import {
  appendFile,
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import type { EmbeddedPostgres } from './embedded-postgres.ts'
import { openEmbeddedPostgres } from './open-embedded-postgres.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import type { PostgresConnection } from './postgres-server.ts'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534
const databaseUid = isRoot ? NOBODY : (process.getuid?.() ?? 0)
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Accessible to the database's user, unless asked otherwise. */
async function makeFolder(mode = 0o711): Promise<string> {
  const folder = await mkdtemp('/tmp/muster-test-')
  await chmod(folder, mode)
  cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

async function open(home: string, elsewhere?: string): Promise<EmbeddedPostgres> {
  const opened = await openEmbeddedPostgres(
    { log: silent },
    { home, ...(elsewhere === undefined ? {} : { elsewhere }) },
  )
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure))
  cleanups.push(() => opened.value.stop())
  return opened.value
}

async function openFailing(home: string): Promise<PostgresFailure> {
  const opened = await openEmbeddedPostgres({ log: silent }, { home })
  if (!opened.ok) return opened.failure
  await opened.value.stop()
  throw new Error('it opened')
}

async function query(connection: PostgresConnection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ ...connection })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

let stoppedHome: Promise<string> | undefined

afterAll(async () => {
  if (stoppedHome !== undefined) await rm(await stoppedHome, { recursive: true, force: true })
})

async function createStoppedHome(): Promise<string> {
  const home = await mkdtemp('/tmp/muster-test-')
  const opened = await openEmbeddedPostgres({ log: silent }, { home })
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure))
  await opened.value.stop()
  return home
}

/** One home with a stopped database for many tests, because creating one takes a second. Each test restores it. */
async function shareStoppedHome(): Promise<{ readonly home: string; readonly data: string }> {
  stoppedHome ??= createStoppedHome()
  const home = await stoppedHome
  return { home, data: join(home, 'postgres', 'data') }
}

/** Changes one file for the duration of the test. */
async function changeFile(path: string, change: (path: string) => Promise<unknown>): Promise<void> {
  const before = await readFile(path)
  const { uid, gid } = await lstat(path)
  cleanups.push(async () => {
    await writeFile(path, before, { mode: 0o600 })
    await chown(path, uid, gid)
  })
  await change(path)
}

/** A separate process that opens the home, prints one JSON line about it, and stays. */
function spawnOpener(
  home: string,
  identity: { readonly uid?: number; readonly gid?: number } = {},
): ChildProcess {
  const script = `
    import { openEmbeddedPostgres } from ${JSON.stringify(new URL('open-embedded-postgres.ts', import.meta.url).href)}
    const log = { info() {}, warn() {}, error() {} }
    const opened = await openEmbeddedPostgres({ log }, { home: ${JSON.stringify(home)} })
    const { pid, connection } = opened.ok ? opened.value : {}
    process.stdout.write(JSON.stringify({ failure: opened.failure, pid, connection }) + '\\n')
    process.stdin.once('data', async () => { await opened.value?.stop(); process.exit(0) })
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: '/',
    env: { LANG: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'inherit'],
    ...identity,
  })
  cleanups.push(async () => child.kill('SIGKILL'))
  return child
}

async function readReport(child: ChildProcess): Promise<{ failure?: PostgresFailure; pid: number }> {
  if (child.stdout === null) throw new Error('no output')
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line)
  throw new Error('it ended without a word')
}

function isRunning(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false
  const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return !/^[ZX]$/.test(status.at(status.lastIndexOf(')') + 2) ?? 'X')
}

describe('the embedded database', () => {
  it('is created when first opened, and responds only on a private socket', async () => {
    const home = await makeFolder()
    const postgres = await open(home)

    const [row] = await query(
      postgres.connection,
      `select current_user as role, current_database() as name, current_setting('listen_addresses') as addresses,
         current_setting('fsync') as fsync, current_setting('synchronous_commit') as acknowledged`,
    )
    expect(row).toEqual({ role: 'muster', name: 'muster', addresses: '', fsync: 'on', acknowledged: 'on' })
    expect(postgres.version).toMatch(/^18\./)
    const run = await lstat(postgres.connection.host)
    expect(run.mode & 0o777).toBe(0o700)
    expect(run.uid).toBe(databaseUid)
    expect(await readdir(join(home, 'postgres'))).toEqual(['data', 'run'])
    for (const folder of ['postgres', 'postgres/data', 'postgres/run', 'logs']) {
      expect((await lstat(join(home, folder))).mode & 0o027).toBe(0)
    }
  })

  it('leaves no process and no pid file after a stop, and does not restart by itself', async () => {
    const { home } = await shareStoppedHome()
    const postgres = await open(home)
    const { pid } = postgres
    expect(isRunning(pid)).toBe(true)

    await postgres.stop()

    await vi.waitFor(() => expect(isRunning(pid)).toBe(false))
    expect(existsSync(join(home, 'postgres/data/postmaster.pid'))).toBe(false)
    expect(await postgres.ensureRunning()).toEqual({ ok: false, failure: { type: 'closed' } })
    expect(existsSync(join(home, 'postgres/data/postmaster.pid'))).toBe(false)
  })

  it('is not running after a stop in the middle of a start', async () => {
    const home = await makeFolder()
    const postgres = await open(home)
    process.kill(postgres.pid, 'SIGKILL')
    const starting = postgres.ensureRunning()

    await postgres.stop()

    expect(await starting).toEqual({ ok: false, failure: { type: 'closed' } })
    await vi.waitFor(() => expect(findServers(join(home, 'postgres/data'))).toEqual([]))
  })

  it('is adopted, not started again, after the process that started it was killed', async () => {
    const home = await makeFolder()
    const opener = spawnOpener(home)
    const report = await readReport(opener)
    expect(report.failure).toBeUndefined()
    opener.kill('SIGKILL')
    await once(opener, 'exit')

    const postgres = await open(home)

    expect(postgres.pid).toBe(report.pid)
    expect(await query(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('is left alone, and its own server killed, once its folder belongs to another', async () => {
    const { home } = await shareStoppedHome()
    let isOurs = true
    const opened = await openEmbeddedPostgres({ log: silent, isOurs: () => isOurs }, { home })
    if (!opened.ok) throw new Error(JSON.stringify(opened.failure))
    const { pid } = opened.value
    isOurs = false
    expect(await opened.value.ensureRunning()).toMatchObject({ ok: false, failure: { type: 'closed' } })
    await opened.value.stop()
    await expect.poll(() => isRunning(pid)).toBe(false)
    const folder = join(home, 'postgres')
    expect(await readdir(join(folder, 'run'))).toContain('.s.PGSQL.5432')
    expect(await readdir(join(folder, 'data'))).toContain('postmaster.pid')
  })

  it('is adopted, not started again, by a process that sees the home through another mount', async (context) => {
    const { home } = await shareStoppedHome()
    const elsewhere = await mountAgain(home)
    if (elsewhere === undefined) return context.skip('this user cannot mount a folder')
    const first = await open(home)
    const second = await open(elsewhere)
    expect(second.pid).toBe(first.pid)
    expect(await query(second.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('recovers every acknowledged row after its server was killed at work', async () => {
    const postgres = await open((await shareStoppedHome()).home)
    const writer = new Client({ ...postgres.connection })
    writer.on('error', () => undefined)
    await writer.connect()
    await writer.query('create table acknowledged (n int)')
    let acknowledged = 0
    const writing = (async () => {
      for (;;) {
        await writer.query('insert into acknowledged values ($1)', [acknowledged])
        acknowledged += 1
      }
    })()
    const broken = expect(writing).rejects.toThrow()
    await vi.waitFor(() => expect(acknowledged).toBeGreaterThan(20))
    const killed = postgres.pid
    process.kill(killed, 'SIGKILL')
    process.kill(readBackend(writer), 'SIGKILL')
    await broken

    expect(await postgres.ensureRunning()).toEqual({ ok: true, value: undefined })

    expect(postgres.pid).not.toBe(killed)
    const sql = `select n from generate_series(0, ${acknowledged - 1}) as n except select n from acknowledged`
    expect(await query(postgres.connection, sql)).toEqual([])
  })

  it('waits for the last worker of a killed server before it starts the next server', async () => {
    const postgres = await open((await shareStoppedHome()).home)
    const client = new Client({ ...postgres.connection })
    client.on('error', () => undefined)
    await client.connect()
    // A worker in the middle of a statement notices its server's death only at the end of the statement.
    const busy = client.query('do $$ begin for i in 1..30000000 loop end loop; end $$').catch(() => 'broken')
    const backend = readBackend(client)
    await vi.waitFor(() => expect(readFileSync(`/proc/${backend}/stat`, 'utf8')).toMatch(/\) R /))
    process.kill(postgres.pid, 'SIGKILL')

    expect(await postgres.ensureRunning()).toEqual({ ok: true, value: undefined })

    expect(isRunning(backend)).toBe(false)
    await busy
    await client.end()
  })

  it('is started once for twenty concurrent callers', async () => {
    const { home } = await shareStoppedHome()
    const postgres = await open(home)
    const countStarts = async () =>
      (await readFile(join(home, 'logs/postgres.log'), 'utf8')).match(/starting PostgreSQL/g)?.length ?? 0
    const before = await countStarts()
    process.kill(postgres.pid, 'SIGKILL')

    const answers = await Promise.all(Array.from({ length: 20 }, () => postgres.ensureRunning()))

    expect(answers.filter((answer) => answer.ok)).toHaveLength(20)
    expect(await countStarts()).toBe(before + 1)
  })

  it('gets a new socket if someone deleted the old one', async () => {
    const postgres = await open((await shareStoppedHome()).home)
    await rm(postgres.connection.host, { recursive: true })

    expect(await postgres.ensureRunning()).toEqual({ ok: true, value: undefined })

    expect(await query(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('is created anew if the first try crashed in the middle', async () => {
    const home = await makeFolder()
    const opener = spawnOpener(home)
    await vi.waitUntil(() => hasUnfinished(join(home, 'postgres')), { timeout: 20_000, interval: 5 })
    opener.kill('SIGKILL')
    await once(opener, 'exit')
    expect(existsSync(join(home, 'postgres/data'))).toBe(false)

    const postgres = await open(home)

    expect(await query(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await readdir(join(home, 'postgres'))).toEqual(['data', 'run'])
  })

  it('works below a path too long for a socket, and leaves nothing in /tmp', async () => {
    const home = join(await makeFolder(), 'a-rather-long-name-'.repeat(8))
    const first = await open(home)
    expect(first.connection.host).toMatch(/^\/tmp\/muster-pg-/)
    expect((await lstat(first.connection.host)).mode & 0o777).toBe(0o700)
    const beside = await openEmbeddedPostgres({ log: silent }, { home })
    expect(beside).toMatchObject({ ok: true, value: { pid: first.pid, connection: first.connection } })
    await first.stop()
    expect(existsSync(first.connection.host)).toBe(false)

    const second = await open(home)

    expect(await query(second.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('works below a path with spaces, quotes, foreign letters and shell characters', async () => {
    const outside = join(await makeFolder(), 'touched')
    const home = join(
      await makeFolder(),
      `mü ster's "дом", $(touch ${outside.replaceAll('/', '\\057')})\`id\``,
    )
    const postgres = await open(home)

    expect(await query(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(existsSync(outside)).toBe(false)
  })
})

describe('an embedded database that cannot be used', () => {
  it('is reported if another major version of PostgreSQL wrote it', async () => {
    const { home, data } = await shareStoppedHome()
    await changeFile(join(data, 'PG_VERSION'), (path) => writeFile(path, '17\n'))

    expect(await openFailing(home)).toEqual({
      type: 'wrong-version',
      directory: realpathSync(data),
      found: '17',
      needed: '18',
    })
  })

  it("is reported if the folder contains someone else's files, which stay unchanged", async () => {
    const home = await makeFolder()
    await mkdir(join(home, 'postgres/data'), { recursive: true })
    await writeFile(join(home, 'postgres/data/thesis.txt'), 'ten years of work')

    expect(await openFailing(home)).toMatchObject({
      type: 'foreign-directory',
      reason: { type: 'not-a-cluster' },
    })
    expect(await readFile(join(home, 'postgres/data/thesis.txt'), 'utf8')).toBe('ten years of work')
  })

  it('is reported if PostgreSQL wrote it, but not for Muster', async () => {
    const { home, data } = await shareStoppedHome()
    await changeFile(join(data, 'muster.conf'), rm)

    expect(await openFailing(home)).toMatchObject({ reason: { type: 'not-made-by-muster' } })
  })

  it('is reported if another user owns it', async (context) => {
    if (!isRoot) return context.skip('only root can give files away')
    const { home, data } = await shareStoppedHome()
    cleanups.push(() => chown(data, NOBODY, NOBODY))
    await chown(data, 12_345, 12_345)

    expect(await openFailing(home)).toMatchObject({
      reason: { type: 'other-owner', ownerUid: 12_345, expectedUid: NOBODY },
    })
  })

  it('is reported as damaged, with the reason, if its control file is truncated', async () => {
    const { home, data } = await shareStoppedHome()
    await changeFile(join(data, 'global/pg_control'), truncate)

    const failed = await openFailing(home)

    expect(failed.type).toBe('damaged')
    expect(failed).toMatchObject({
      lastLines: expect.arrayContaining([expect.stringContaining('pg_control')]),
    })
  })

  it('is not reported as damaged if only a setting is wrong', async () => {
    const { home, data } = await shareStoppedHome()
    await changeFile(join(data, 'postgresql.conf'), (path) => appendFile(path, "shared_buffers = 'plenty'\n"))

    const failed = await openFailing(home)

    expect(failed.type).toBe('start-refused')
    expect(failed).toMatchObject({
      lastLines: expect.arrayContaining([expect.stringContaining('shared_buffers')]),
    })
  })
})

describe('an embedded database on a full disk', () => {
  it('is not created, and leaves nothing behind', async (context) => {
    const home = await mountSmallDisk('20m')
    if (home === undefined) return context.skip('this user cannot mount a small disk')

    expect(await openFailing(home)).toMatchObject({ type: 'no-space' })
    expect(await readdir(join(home, 'postgres'))).toEqual(['run'])
  })

  it('does not start, and starts with its rows once there is space again', async (context) => {
    const home = await mountSmallDisk('100m')
    if (home === undefined) return context.skip('this user cannot mount a small disk')
    const first = await open(home)
    await query(first.connection, 'create table kept (n int); insert into kept values (1)')
    await first.stop()
    const filler = join(home, 'filler')
    await expect(writeFile(filler, Buffer.alloc(100 * 2 ** 20))).rejects.toThrow('ENOSPC')

    expect(await openFailing(home)).toMatchObject({ type: 'no-space' })

    await rm(filler)
    const second = await open(home)
    expect(await query(second.connection, 'select n from kept')).toEqual([{ n: 1 }])
  })
})

describe('the embedded database of root', () => {
  it('refuses even the user it runs as: only root may connect', async (context) => {
    if (!isRoot) return context.skip('needs root')
    const postgres = await open((await shareStoppedHome()).home)
    const script = `
      import pg from ${JSON.stringify(import.meta.resolve('pg'))}
      const client = new pg.Client(${JSON.stringify(postgres.connection)})
      await client.connect().then(() => process.stdout.write('in'), (error) => process.stdout.write(error.code))
      process.exit(0)
    `

    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
      uid: NOBODY,
      gid: NOBODY,
      cwd: '/',
    })

    expect(stdout).toBe('28000')
  })

  it('moves elsewhere if its user cannot access the folders above home, and is found there again', async (context) => {
    if (!isRoot) return context.skip('needs root')
    const home = join(await makeFolder(0o700), 'home')
    const elsewhere = await makeFolder()
    const first = await open(home, elsewhere)
    await query(first.connection, 'create table kept (n int); insert into kept values (1)')
    expect(await readdir(elsewhere)).toHaveLength(1)
    await first.stop()

    const second = await open(home, elsewhere)

    expect(await query(second.connection, 'select n from kept')).toEqual([{ n: 1 }])
    expect(await readdir(elsewhere)).toHaveLength(1)
  })

  it('is not silently replaced by an empty one if it becomes inaccessible later', async (context) => {
    if (!isRoot) return context.skip('needs root')
    const parent = await makeFolder()
    const first = await open(join(parent, 'home'))
    await first.stop()
    await chmod(parent, 0o700)

    expect(await openFailing(join(parent, 'home'))).toMatchObject({
      type: 'home-unreachable',
      blockedBy: parent,
    })
  })
})

describe('the embedded database of an ordinary user', () => {
  it('is created, adopted after a kill, and stopped as that user', async (context) => {
    if (!isRoot) return context.skip('every other test already runs as an ordinary user')
    const home = await makeFolder()
    await chown(home, NOBODY, NOBODY)
    const ordinary = { uid: NOBODY, gid: NOBODY }
    const first = spawnOpener(home, ordinary)
    const report = await readReport(first)
    expect(report.failure).toBeUndefined()
    first.kill('SIGKILL')
    await once(first, 'exit')

    const second = spawnOpener(home, ordinary)
    expect((await readReport(second)).pid).toBe(report.pid)
    second.stdin?.write('stop\n')
    await once(second, 'exit')

    await vi.waitFor(() => expect(isRunning(report.pid)).toBe(false))
    expect((await lstat(join(home, 'postgres'))).uid).toBe(NOBODY)
    expect((await lstat(join(home, 'postgres'))).mode & 0o777).toBe(0o700)
  })
})

/** Live processes that work in the folder, as every process of a database server does. */
function findServers(folder: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name) || !isRunning(Number(name))) return false
    try {
      return readlinkSync(`/proc/${name}/cwd`) === folder
    } catch {
      // It ended in the meantime.
      return false
    }
  })
}

function hasUnfinished(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('data.new-'))
}

/** The `pg` package knows the worker's process id, but its types don't have it. */
function readBackend(client: Client): number {
  const pid: unknown = Reflect.get(client, 'processID')
  if (typeof pid !== 'number') throw new Error('not connected')
  return pid
}

async function mountSmallDisk(size: string): Promise<string | undefined> {
  const folder = await makeFolder()
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
  } catch {
    // Without permission to mount, the test is skipped.
    return undefined
  }
  cleanups.push(() => run('umount', ['--lazy', folder]))
  return folder
}

async function mountAgain(folder: string): Promise<string | undefined> {
  const again = await makeFolder()
  try {
    await run('mount', ['--bind', folder, again])
  } catch {
    // Without permission to mount, the test is skipped.
    return undefined
  }
  cleanups.push(() => run('umount', ['--lazy', again]))
  return again
}
