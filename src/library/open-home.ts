import { connect, type MusterClient } from '../client/index.ts'
import { ClosingStack } from '../daemon/closing-stack.ts'
import { type DaemonFailure, describeDaemonFailure } from '../daemon/daemon-failure.ts'
import { openDaemon } from '../daemon/open-daemon.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { watchDirectory } from '../home/directory-changes.ts'
import { makeHome } from '../home/make-home.ts'
import { probeDaemon } from '../home/probe-daemon.ts'
import { unavailable } from './muster-error.ts'

export type HomeOptions = {
  readonly home: string
  /** Which daemon to use: the one that runs already or else one in this process, only the first, or only the second. */
  readonly daemon: 'either' | 'running' | 'embedded'
  /** The port of an embedded daemon; by default the one it had last. */
  readonly port?: number
}

/** A daemon to call: one in this process, or one that another process runs. */
export type OpenedHome = {
  readonly client: MusterClient
  readonly isEmbedded: boolean
  /**
   * Resolves when an embedded daemon was closed, asked to stop over HTTP or had to stop, with the reason if it had to.
   * Never resolves for another process's daemon.
   */
  readonly ended: Promise<string | undefined>
  close(): Promise<void>
}

const READY_MS = 60_000
const PAUSE_MS = 500

/**
 * Connects to the daemon of a home, or becomes it. Of several processes at once, the home's lock lets one become the
 * daemon, and the others connect to it.
 */
export async function openHome(options: HomeOptions): Promise<OpenedHome> {
  await makeHome(options.home, process.getuid?.() === 0)
  using changes = watchDirectory(options.home)
  const deadline = Date.now() + READY_MS
  for (;;) {
    const found = await findRunning(options)
    if (found !== undefined) return found
    const embedded = await embed(options)
    if (embedded.ok) return embedded.value
    const isTaken = embedded.failure.type === 'home-taken' && options.daemon === 'either'
    if (!isTaken || Date.now() > deadline) {
      const { message, next } = describeDaemonFailure(embedded.failure)
      throw unavailable(message, next)
    }
    // The daemon that has the lock is starting or stopping.
    await changes.next(PAUSE_MS)
  }
}

async function findRunning({ home, daemon }: HomeOptions): Promise<OpenedHome | undefined> {
  if (daemon === 'embedded') return undefined
  const probe = await probeDaemon(home)
  if (probe.type === 'ready') return connected(probe.client)
  if (probe.type === 'refused') throw unavailable(probe.problem, 'muster doctor')
  if (daemon === 'running') throw unavailable(`no daemon answers in ${home}`, 'muster status')
  return undefined
}

function connected(client: MusterClient): OpenedHome {
  return { client, isEmbedded: false, ended: new Promise(() => undefined), close: () => Promise.resolve() }
}

async function embed({ home, port }: HomeOptions): Promise<Result<OpenedHome, DaemonFailure>> {
  const stack = new ClosingStack()
  let end: (reason: string | undefined) => void = () => undefined
  const ended = new Promise<string | undefined>((settle) => {
    end = settle
  })
  let isLost = false
  let closing: Promise<void> | undefined
  const close = () => {
    // What a lost home's paths lead to isn't ours, so nothing is closed.
    closing ??= isLost ? Promise.resolve() : stack.close().then(() => end(undefined))
    return closing
  }
  const opened = await openDaemon(
    {
      home,
      ...(port === undefined ? {} : { port }),
      shutdown: (reason) => {
        if (reason !== undefined) end(describeDaemonFailure(reason).message)
        void close()
      },
      leave: ({ log, postgres }) => {
        if (isLost) return
        isLost = true
        log.error({ home }, 'the home was deleted, moved or replaced; stopping')
        postgres.abandon()
        end(describeDaemonFailure({ type: 'home-lost', home }).message)
      },
    },
    stack,
  )
  if (!opened.ok) {
    await stack.close()
    return failure(opened.failure)
  }
  const { url, token } = opened.value
  return success({ client: connect({ url, token }), isEmbedded: true, ended, close })
}
