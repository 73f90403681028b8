import { once } from 'node:events'
import { ClosingStack } from './closing-stack.ts'
import { type DaemonFailure, describeDaemonFailure, exitCodeOf } from './daemon-failure.ts'
import { type OpenOptions, openDaemon } from './open-daemon.ts'
import type { DaemonParts } from './start-daemon.ts'

export type ServeOptions = {
  readonly home: string
  readonly port?: number
  readonly background: boolean
  /** Whether this home takes over a database of another home, or gets another database. */
  readonly adoptDatabase?: boolean
  readonly stdout: (line: string) => void
  readonly stderr: (line: string) => void
}

/** Runs the daemon until it is asked to stop; returns the exit code. */
export async function serve(options: ServeOptions): Promise<number> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  const stack = new ClosingStack()
  try {
    return await run(options, stack, stopping)
  } finally {
    await stack.close()
  }
}

async function run(options: ServeOptions, stack: ClosingStack, stopping: AbortController): Promise<number> {
  let reason: DaemonFailure | undefined
  const shutdown = (why?: DaemonFailure) => {
    reason ??= why
    stopping.abort()
  }
  const leaveHome: OpenOptions['leave'] = (parts) => leave(options, parts)
  const started = await openDaemon({ ...options, shutdown, leave: leaveHome, whenLogging: logAndExit }, stack)
  if (!started.ok) return report(options, started.failure)
  if (!options.background) {
    options.stdout(`muster is ready at ${started.value.url}`)
    options.stdout('press Ctrl-C to stop; running agents continue, and the next start picks them up')
  }
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
  if (reason !== undefined) return report(options, reason)
  if (!options.background) options.stdout('stopping')
  return 0
}

function report(options: ServeOptions, failed: DaemonFailure): number {
  const words = describeDaemonFailure(failed)
  options.stderr(`error: ${words.message}`)
  options.stderr(`  try: ${words.next}`)
  return exitCodeOf(failed)
}

/**
 * Ends this process at once if the home isn't its own any more. Nothing is closed: what would be removed or stopped on
 * the way may belong to the new home. Only this daemon's own database server is ended, by its pid.
 */
function leave(options: ServeOptions, { log, postgres }: Pick<DaemonParts, 'log' | 'postgres'>): void {
  const reason = { type: 'home-lost', home: options.home } as const
  log.error({ home: options.home }, 'the home was deleted, moved or replaced; stopping')
  const exitCode = report(options, reason)
  postgres.abandon()
  process.exit(exitCode)
}

/** A defect ends the daemon and is logged; the next daemon picks up its work. */
function logAndExit(log: DaemonParts['log']): void {
  process.on('uncaughtException', (error) => {
    log.error({ error: error.stack ?? String(error) }, 'a defect ended the daemon')
    process.exit(70)
  })
}
