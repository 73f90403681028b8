import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { formatId } from '../../../../domain/id.ts'
import type { SandboxPolicy } from '../../../../domain/session/sandbox-policy.ts'
import type { HostId, HostRequest, HostSight, Spool } from '../../../../ports/session-host.ts'
import { createLocalHost, type LocalHost, type LocalHostOptions } from '../create-local-host.ts'

const CHILD_SCRIPT = fileURLToPath(new URL('./host-in-child.ts', import.meta.url))
/** Sees everything; what a trial's programs may write is its own directory. */
/** The tests may run from anywhere, and so may the Node that some of their programs need. */
const OPEN: SandboxPolicy = {
  level: 'auto',
  writable: [],
  readable: [dirname(process.execPath)],
  hidden: [],
  network: 'allow',
}
const PATIENCE_MS = 30_000

/** A real host over a directory of its own; when the test is over, so is everything it started. */
export type HostTrial = AsyncDisposable & {
  readonly path: string
  readonly host: LocalHost
  readonly options: LocalHostOptions
  request(script: string, changes?: Partial<HostRequest>): HostRequest
  /** Starts a shell script as a session. */
  run(script: string, changes?: Partial<HostRequest>): Promise<HostId>
  /** What it came to, once the session is over. */
  end(hostId: HostId): Promise<HostSight>
  text(hostId: HostId, spool: Spool): Promise<string>
  /** Waits until a spool holds some text. */
  printed(hostId: HostId, text: string): Promise<void>
  /** Command lines of all living processes that any session of the trial brought about. */
  survivors(): Promise<readonly string[]>
}

export type TrialOptions = Partial<LocalHostOptions> & { readonly policy?: Partial<SandboxPolicy> }

type Needs = {
  readonly temporaryDirectory: (name: string) => Promise<AsyncDisposable & { readonly path: string }>
  readonly processesWith: (mark: string) => Promise<readonly string[]>
}

export async function createHostTrial(needs: Needs, options: TrialOptions = {}): Promise<HostTrial> {
  const directory = await needs.temporaryDirectory('muster-host')
  const { policy, ...rest } = options
  const hostOptions = { hostsDirectory: `${directory.path}/hosts`, ...rest }
  const host = await createLocalHost(hostOptions)

  const request = (script: string, changes: Partial<HostRequest> = {}): HostRequest => ({
    hostId: formatId('session', Date.now(), randomBytes(11)) as string as HostId,
    command: ['/bin/sh', '-c', script],
    cwd: directory.path,
    environment: { PATH: '/usr/bin:/bin', TRIAL: directory.path },
    outputCapBytes: 10_000_000,
    hasInput: false,
    sandbox: { ...OPEN, writable: [directory.path], ...policy },
    ...changes,
  })
  const text = async (hostId: HostId, spool: Spool) =>
    new TextDecoder().decode(await host.read(hostId, spool, 0, 20_000_000))

  return {
    path: directory.path,
    host,
    options: hostOptions,
    request,
    text,
    async run(script, changes) {
      const wanted = request(script, changes)
      const started = await host.start(wanted)
      if (!started.ok) throw new Error(JSON.stringify(started.failure))
      return wanted.hostId
    },
    end: (hostId) =>
      waitFor(host, hostId, async () => {
        const sight = await host.look(hostId)
        return sight.type === 'running' || sight.type === 'absent' ? undefined : sight
      }),
    async printed(hostId, expected) {
      await waitFor(host, hostId, async () =>
        (await text(hostId, 'out')).includes(expected) ? true : undefined,
      )
    },
    survivors: () => needs.processesWith(directory.path),
    async [Symbol.asyncDispose]() {
      await Promise.all((await host.list()).map((hostId) => host.stop(hostId, 0)))
      await directory[Symbol.asyncDispose]()
    },
  }
}

/** Looks whenever the host says that something changed. */
async function waitFor<Found>(
  host: LocalHost,
  hostId: HostId,
  look: () => Promise<Found | undefined>,
): Promise<Found> {
  let stop: Disposable | undefined
  const found = new Promise<Found>((resolve, reject) => {
    const lookAgain = () => {
      look().then((seen) => seen !== undefined && resolve(seen), reject)
    }
    AbortSignal.timeout(PATIENCE_MS).addEventListener('abort', () => {
      reject(new Error(`waited in vain for session ${hostId}`))
    })
    stop = host.watch(hostId, lookAgain)
    lookAgain()
  })
  return await found.finally(() => stop?.[Symbol.dispose]())
}

export type ChildDaemon = {
  readonly process: ChildProcess
  readonly report: { readonly started: unknown; readonly containment: unknown }
}

/** Starts a session from another process, perhaps another user's. */
export async function startInChild(
  options: LocalHostOptions,
  request: HostRequest,
  user: { readonly uid?: number; readonly gid?: number } = {},
): Promise<ChildDaemon> {
  const child = spawn(process.execPath, [CHILD_SCRIPT, JSON.stringify({ options, request })], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...user,
  })
  const lines = createInterface({ input: child.stdout })
  const [line] = await Promise.race([
    once(lines, 'line', { signal: AbortSignal.timeout(PATIENCE_MS) }),
    once(child, 'exit').then(() => {
      throw new Error('the child process ended before it said anything')
    }),
  ])
  return { process: child, report: JSON.parse(String(line)) as ChildDaemon['report'] }
}

/** Kills a child the hard way and waits until it is gone. */
export async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
