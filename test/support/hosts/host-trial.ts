import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ContainmentMethods } from '../../../src/adapters/hosts/local/containment-method.ts'
import {
  createLocalHost,
  type LocalHost,
  type LocalHostOptions,
} from '../../../src/adapters/hosts/local/create-local-host.ts'
import { findContainments } from '../../../src/adapters/hosts/local/find-containments.ts'
import { formatId } from '../../../src/domain/id.ts'
import type { SandboxPolicy } from '../../../src/domain/session/sandbox-policy.ts'
import type { HostId, HostRequest, HostSnapshot, Spool } from '../../../src/ports/session-host.ts'
import { processesWith } from '../processes.ts'
import { temporaryDirectory } from '../temporary-directory.ts'

const CHILD_SCRIPT = fileURLToPath(new URL('./host-in-child.ts', import.meta.url))
/** Everything is readable, even if Node, which some programs need, is in a hidden directory. */
const OPEN: SandboxPolicy = {
  level: 'auto',
  writable: [],
  readable: [dirname(process.execPath)],
  hidden: [],
  network: 'allow',
}
const PATIENCE_MS = 30_000

/** A real host in its own directory. Disposing it ends everything that it started. */
export type HostTrial = AsyncDisposable & {
  readonly path: string
  readonly host: LocalHost
  readonly options: LocalHostOptions
  request(script: string, changes?: Partial<HostRequest>): HostRequest
  /** Starts a shell script as a session. */
  run(script: string, changes?: Partial<HostRequest>): Promise<HostId>
  /** Waits until the session has ended and returns how. */
  end(hostId: HostId): Promise<HostSnapshot>
  text(hostId: HostId, spool: Spool): Promise<string>
  /** Waits until the program has printed some text. */
  printed(hostId: HostId, text: string): Promise<void>
  /** The command lines of all living processes that the trial's sessions have started. */
  survivors(): Promise<readonly string[]>
}

export type TrialOptions = Partial<LocalHostOptions> & { readonly policy?: Partial<SandboxPolicy> }

/** Found once per test file, because trying all methods takes a while. */
let methods: Promise<ContainmentMethods> | undefined

export async function createHostTrial(options: TrialOptions = {}): Promise<HostTrial> {
  const directory = await temporaryDirectory('muster-host')
  const { policy, ...rest } = options
  methods ??= findContainments()
  const hostOptions = { hostsDirectory: `${directory.path}/hosts`, methods: await methods, ...rest }
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
        const snapshot = await host.inspect(hostId)
        return snapshot.type === 'running' || snapshot.type === 'absent' ? undefined : snapshot
      }),
    async printed(hostId, expected) {
      await waitFor(host, hostId, async () =>
        (await text(hostId, 'out')).includes(expected) ? true : undefined,
      )
    },
    survivors: () => processesWith(directory.path),
    async [Symbol.asyncDispose]() {
      // A test may have removed the directory.
      const left = await host.list().catch(() => [])
      await Promise.all(left.map((hostId) => host.stop(hostId, 0)))
      await directory[Symbol.asyncDispose]()
    },
  }
}

/** Calls `inspect` whenever the host reports a change. */
async function waitFor<Found>(
  host: LocalHost,
  hostId: HostId,
  inspect: () => Promise<Found | undefined>,
): Promise<Found> {
  let stop: Disposable | undefined
  const found = new Promise<Found>((resolve, reject) => {
    const lookAgain = () => {
      inspect().then((seen) => seen !== undefined && resolve(seen), reject)
    }
    AbortSignal.timeout(PATIENCE_MS).addEventListener('abort', () => {
      reject(new Error(`timed out waiting for session ${hostId}`))
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

/** Starts a session from another process, if needed as another user. */
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
      throw new Error('the child process ended before it printed anything')
    }),
  ])
  return { process: child, report: JSON.parse(String(line)) as ChildDaemon['report'] }
}

/** Kills a child process and waits until it is gone. */
export async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
