import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type MusterClient, type WireJob } from '../../src/client/index.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const BIN = resolve(import.meta.dirname, '../../src/bin.ts')

export type TestDaemon = AsyncDisposable & {
  readonly home: string
  readonly client: MusterClient
  readonly pid: number
  readonly process: ChildProcess
  /** SIGKILL, and nothing else. */
  kill(): Promise<void>
  stop(): Promise<number>
}

export type TestHome = AsyncDisposable & {
  readonly home: string
  start(environment?: Readonly<Record<string, string>>): Promise<TestDaemon>
}

/**
 * A home in which daemons can be started, killed and started again; what is left is stopped at the end. Its daemons
 * get the environment; with a `DATABASE_URL` in it there is no embedded database to make, start and stop.
 */
export async function testHome(environment: Readonly<Record<string, string>> = {}): Promise<TestHome> {
  const directory = await temporaryDirectory('muster-home')
  const started: TestDaemon[] = []
  return {
    home: directory.path,
    async start(more = {}) {
      const daemon = await startDaemon(directory.path, { ...environment, ...more })
      started.push(daemon)
      return daemon
    },
    async [Symbol.asyncDispose]() {
      const last = started.at(-1)
      if (last !== undefined && last.process.exitCode === null && last.process.signalCode === null)
        await last.stop()
      // A killed daemon leaves its embedded database running: a last one adopts it and shuts it down.
      else if (!('DATABASE_URL' in environment)) await (await startDaemon(directory.path, environment)).stop()
      await directory[Symbol.asyncDispose]()
    },
  }
}

export async function startDaemon(
  home: string,
  environment: Readonly<Record<string, string>>,
): Promise<TestDaemon> {
  const child = spawn(process.execPath, [BIN, 'serve', '--home', home], {
    cwd: '/',
    // Most tests talk to their agents through files; what the sandbox hides has tests of its own.
    env: { ...process.env, MUSTER_SANDBOX: 'none', ...environment, MUSTER_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  await until(() => {
    if (child.exitCode !== null) throw new Error(`the daemon ended with ${child.exitCode}: ${said}`)
    return said.includes('ready at') || child.signalCode !== null
  }, 60_000)
  const client = await connectTo(home)
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? -1
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
    return child.exitCode ?? -1
  }
  return {
    home,
    client,
    pid: child.pid ?? 0,
    process: child,
    kill: async () => {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
    async [Symbol.asyncDispose]() {
      await end('SIGTERM')
    },
  }
}

/** A client of whatever daemon is registered in the home. */
export async function connectTo(home: string): Promise<MusterClient> {
  const { url } = JSON.parse(await readFile(join(home, 'daemon.json'), 'utf8')) as { url: string }
  return connect({ url, token: (await readFile(join(home, 'token'), 'utf8')).trim() })
}

/** Waits for a condition of the outside world that sends no events; the last look's error says what was missing. */
export async function until(isMet: () => unknown, timeoutMs = 30_000): Promise<void> {
  const end = Date.now() + timeoutMs
  for (;;) {
    if (await isMet()) return
    if (Date.now() > end) throw new Error(`not met within ${timeoutMs} ms: ${isMet.toString()}`)
    await sleep(20)
  }
}

/** Follows a job until it is over and gives it back. */
export async function waitForJob(client: MusterClient, jobId: string, timeoutMs = 60_000): Promise<WireJob> {
  const signal = AbortSignal.timeout(timeoutMs)
  for await (const _ of client.follow(jobId, { signal }));
  const job = await client.getJob(jobId)
  if (!job.ok) throw new Error(`job ${jobId}: ${job.failure.message}`)
  return job.value
}
