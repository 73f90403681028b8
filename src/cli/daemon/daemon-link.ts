import { connect, type MusterClient } from '../../client/index.ts'
import type { Result } from '../../domain/result.ts'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'

export type DaemonPlace = { readonly url: string; readonly token: string }

/** Looks for a daemon that was lost, and reports progress through `say`. */
export type FindAgain = (say: (line: string) => void) => Promise<Result<DaemonPlace, Problem>>

/**
 * A client that survives restarts of its daemon. Contract: after `lost`, the next request waits until the daemon is
 * found again, possibly at another address. If it cannot be found, `problem` returns why and requests fail.
 */
export interface DaemonLink {
  readonly client: MusterClient
  lost(say: (line: string) => void): void
  problem(): Problem | undefined
}

export function openDaemonLink(first: DaemonPlace, findAgain: FindAgain): DaemonLink {
  let place = first
  let problem: Problem | undefined
  let pending: Promise<void> | undefined

  /** Never rejects, because no one may be waiting for it any more. */
  async function search(say: (line: string) => void): Promise<void> {
    try {
      const found = await findAgain(say)
      if (found.ok) place = found.value
      else problem = found.failure
    } catch (error) {
      problem = unfindable(error)
    } finally {
      pending = undefined
    }
  }

  const client: MusterClient = connect({
    ...first,
    fetch: async (input, init) => {
      await untilAborted(pending, init?.signal ?? undefined)
      const headers = new Headers(init?.headers)
      headers.set('authorization', `Bearer ${place.token}`)
      const path = String(input).slice(client.url.length)
      return fetch(`${originOf(place.url)}${path}`, { ...init, headers })
    },
  })
  return {
    client,
    lost: (say) => {
      pending ??= search(say)
    },
    problem: () => problem,
  }
}

function originOf(url: string): string {
  return url.replace(/\/+$/, '')
}

async function untilAborted(work: Promise<void> | undefined, signal: AbortSignal | undefined): Promise<void> {
  if (work === undefined || signal === undefined) return work
  signal.throwIfAborted()
  const waiting = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    const listen = { signal: waiting.signal }
    signal.addEventListener('abort', () => reject(signal.reason), listen)
  })
  try {
    await Promise.race([work, aborted])
  } finally {
    waiting.abort()
  }
}

function unfindable(error: unknown): Problem {
  return {
    type: 'daemon-lost',
    exitCode: EXIT.unreachable,
    message: `the daemon was lost: ${error instanceof Error ? error.message : String(error)}`,
    next: 'muster doctor',
  }
}
