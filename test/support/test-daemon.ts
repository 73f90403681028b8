import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type MusterClient, type WireJob } from '../../src/client/index.ts'
import { bundledProgram } from './bundled-program.ts'
import { take } from './take.ts'
import { temporaryDirectory } from './temporary-directory.ts'

export type TestDaemon = AsyncDisposable & {
  readonly home: string
  readonly client: MusterClient
  readonly pid: number
  readonly process: ChildProcess
  /** Kills the daemon with SIGKILL. */
  kill(): Promise<void>
  stop(): Promise<number>
}

export type TestHome = AsyncDisposable & {
  readonly home: string
  start(environment?: Readonly<Record<string, string>>): Promise<TestDaemon>
}

/**
 * A home in which daemons can be started, killed and started again. The last daemon is stopped at the end. The daemons
 * get the environment; with a `MUSTER_DATABASE_URL` in it, no embedded database has to be created, started and stopped.
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
      else if (!('MUSTER_DATABASE_URL' in environment))
        await (await startDaemon(directory.path, environment)).stop()
      await directory[Symbol.asyncDispose]()
    },
  }
}

export async function startDaemon(
  home: string,
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<TestDaemon> {
  const child = spawn(process.execPath, [await bundledProgram(), 'serve', '--home', home, ...flags], {
    cwd: '/',
    // Most tests communicate with their agents through files, which the sandbox would hide. It has its own tests. So
    // has trust: the repositories of all other tests are our own.
    env: { ...process.env, MUSTER_SANDBOX: 'none', MUSTER_TRUST: 'all', ...environment, MUSTER_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await untilReady(child)
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

/** Waits until the daemon prints that it is ready, or is killed, as it is at an early crash point. */
async function untilReady(child: ChildProcess): Promise<void> {
  let output = ''
  const ready = new Promise<void>((resolve) => {
    const collect = (chunk: unknown) => {
      output += chunk
      if (output.includes('ready at')) resolve()
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
  })
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(60_000) })
  await Promise.race([ready, exited])
  if (child.exitCode !== null) throw new Error(`the daemon ended with ${child.exitCode}: ${output}`)
}

/** A client of the daemon that is registered in the home. */
export async function connectTo(home: string): Promise<MusterClient> {
  const { url } = JSON.parse(await readFile(join(home, 'daemon.json'), 'utf8')) as { url: string }
  return connect({ url, token: (await readFile(join(home, 'token'), 'utf8')).trim() })
}

/** Waits for a condition outside Muster, which sends no events. The error quotes the condition that was not met. */
export async function until(isMet: () => unknown, timeoutMs = 60_000): Promise<void> {
  const end = Date.now() + timeoutMs
  // Conditions may be expensive, such as a look at all processes, so the pauses get longer.
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 1.5, 100)) {
    if (await isMet()) return
    if (Date.now() > end) throw new Error(`not met within ${timeoutMs} ms: ${isMet.toString()}`)
    await sleep(pauseMs)
  }
}

/** Follows a job until it has ended, and returns it. */
export async function waitForJob(client: MusterClient, jobId: string, timeoutMs = 110_000): Promise<WireJob> {
  const signal = AbortSignal.timeout(timeoutMs)
  for await (const _ of client.follow(jobId, { signal }));
  return take(await client.getJob(jobId))
}
