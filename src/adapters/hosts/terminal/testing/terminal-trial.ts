import { randomBytes } from 'node:crypto'
import { formatId } from '../../../../domain/id.ts'
import type { HostId } from '../../../../ports/session-host.ts'
import type {
  TerminalHost,
  TerminalRequest,
  TerminalSnapshot,
  TerminalViewer,
  ViewerEnd,
  ViewerRequest,
} from '../../../../ports/terminal-host.ts'
import { createTerminalHost, type TerminalHostOptions } from '../create-terminal-host.ts'
import type { TerminalNeeds } from '../terminal-needs.ts'
import { waitUntil } from '../wait-until.ts'

/** A viewer that keeps its output. */
export type TrialViewer = TerminalViewer & {
  text(): string
  shownBytes(): number
  end(): ViewerEnd | undefined
}

/** A real terminal host in its own directory. Disposing it ends everything that it started. */
export type TerminalTrial = AsyncDisposable & {
  readonly path: string
  readonly host: TerminalHost
  /** Makes the host again, as the next daemon would. */
  again(): Promise<TerminalHost>
  request(script: string, changes?: Partial<TerminalRequest>): TerminalRequest
  run(script: string, changes?: Partial<TerminalRequest>): Promise<HostId>
  end(hostId: HostId): Promise<TerminalSnapshot>
  /** Waits until the screen shows some text, and returns the whole screen. */
  shown(hostId: HostId, text: string): Promise<string>
  view(hostId: HostId, changes?: Partial<ViewerRequest>): Promise<TrialViewer>
  survivors(): Promise<readonly string[]>
}

type Needs = {
  readonly terminal: TerminalNeeds
  readonly temporaryDirectory: (name: string) => Promise<AsyncDisposable & { readonly path: string }>
  readonly processesWith: (mark: string) => Promise<readonly string[]>
}

const PATIENCE_MS = 20_000
const KEPT_TEXT = 200_000

/** Waits until `inspect` returns something. The error names what it waited for. */
export async function eventually<Found>(
  what: string,
  inspect: () => Found | undefined | Promise<Found | undefined>,
): Promise<Found> {
  const found = await waitUntil({ timeoutMs: PATIENCE_MS, intervalMs: 20, inspect: async () => inspect() })
  if (found === undefined) throw new Error(`timed out waiting for ${what}`)
  return found
}

export async function createTerminalTrial(
  needs: Needs,
  options: Partial<TerminalHostOptions> = {},
): Promise<TerminalTrial> {
  const directory = await needs.temporaryDirectory('muster-terminal')
  const hosts: TerminalHost[] = []
  const again = async () => {
    const made = await createTerminalHost(needs.terminal, {
      directory: `${directory.path}/terminals`,
      ...options,
    })
    hosts.push(made)
    return made
  }
  const host = await again()
  const request = (script: string, changes: Partial<TerminalRequest> = {}): TerminalRequest => ({
    hostId: String(formatId('session', Date.now(), randomBytes(11))) as HostId,
    command: ['/bin/sh', '-c', script],
    cwd: directory.path,
    environment: { PATH: '/usr/bin:/bin', TRIAL: directory.path },
    columns: 80,
    rows: 24,
    sandbox: { level: 'auto', writable: [directory.path], readable: [], hidden: [], network: 'allow' },
    ...changes,
  })

  return {
    path: directory.path,
    host,
    again,
    request,
    async run(script, changes) {
      const wanted = request(script, changes)
      const opened = await host.open(wanted)
      if (!opened.ok) throw new Error(JSON.stringify(opened.failure))
      return wanted.hostId
    },
    end: (hostId) =>
      eventually('the end of the program', async () => {
        const snapshot = await host.inspect(hostId)
        return snapshot.type === 'running' || snapshot.type === 'absent' ? undefined : snapshot
      }),
    shown: (hostId, text) =>
      eventually(`"${text}" on the screen`, async () => {
        const screen = await host.screen(hostId)
        return screen.ok && screen.value.includes(text) ? screen.value : undefined
      }),
    view: (hostId, changes) => openTrialViewer(host, hostId, changes),
    survivors: () => needs.processesWith(directory.path),
    async [Symbol.asyncDispose]() {
      await Promise.all((await host.list()).map((hostId) => host.close(hostId, 0)))
      await Promise.all(hosts.map((made) => made[Symbol.asyncDispose]()))
      await directory[Symbol.asyncDispose]()
    },
  }
}

async function openTrialViewer(
  host: TerminalHost,
  hostId: HostId,
  changes: Partial<ViewerRequest> = {},
): Promise<TrialViewer> {
  let kept = ''
  let bytesShown = 0
  let ended: ViewerEnd | undefined
  const decoder = new TextDecoder()
  const connected = await host.connect(hostId, {
    columns: 80,
    rows: 24,
    readOnly: false,
    onData: (bytes) => {
      bytesShown += bytes.length
      kept = `${kept}${decoder.decode(bytes, { stream: true })}`.slice(-KEPT_TEXT)
    },
    onEnd: (end) => {
      ended = end
    },
    ...changes,
  })
  if (!connected.ok) throw new Error(connected.failure.type)
  return {
    ...connected.value,
    text: () => kept,
    shownBytes: () => bytesShown,
    end: () => ended,
  }
}
