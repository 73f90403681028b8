import { connect, type MusterClient } from '../../client/index.ts'
import type { Result } from '../../domain/result.ts'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'

export type DaemonPlace = { readonly url: string; readonly token: string }

/** Looks for a daemon that was lost, and reports progress through `say`. */
export type FindAgain = (say: (line: string) => void) => Promise<Result<DaemonPlace, Problem>>

/** Finds or restarts a daemon that was lost during a request; undefined if the request should just fail. */
export type Revive = () => Promise<Result<DaemonPlace, Problem> | undefined>

/** How often a request is made at most: it may be what kills the daemon. */
const TRIES = 3

/**
 * A client that survives restarts of its daemon. Contract: after `lost`, the next request waits until the daemon is
 * found again, possibly at another address. If it cannot be found, `problem` returns why and requests fail. With
 * `revive`, a request that the daemon is lost during is repeated if that is safe: a read, or a write with a key.
 */
export interface DaemonLink {
  readonly client: MusterClient
  lost(say: (line: string) => void): void
  problem(): Problem | undefined
}

export function openDaemonLink(first: DaemonPlace, findAgain: FindAgain, revive?: Revive): DaemonLink {
  let place = first
  let problem: Problem | undefined
  let pending: Promise<boolean> | undefined

  /** Returns whether the daemon was found. Never rejects, because no one may be waiting for it any more. */
  async function search(find: Revive): Promise<boolean> {
    try {
      const found = await find()
      if (found?.ok === true) place = found.value
      if (found?.ok === false) problem = found.failure
      return found?.ok === true
    } catch (error) {
      problem = unfindable(error)
      return false
    } finally {
      pending = undefined
    }
  }

  async function send(path: string, init: RequestInit): Promise<Response> {
    await untilAborted(pending, init.signal ?? undefined)
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${place.token}`)
    return fetch(`${originOf(place.url)}${path}`, { ...init, headers })
  }

  async function sendRepeatedly(
    path: string,
    init: RequestInit,
    again: Revive,
    tries = 1,
  ): Promise<Response> {
    try {
      const response = await send(path, init)
      // Read here, because the daemon may be lost in the middle of its answer too.
      return new Response((await response.text()) || null, response)
    } catch (error) {
      if (tries === TRIES || problem !== undefined || init.signal?.aborted === true) throw error
      pending ??= search(again)
      const isFound = await untilAborted(pending, init.signal ?? undefined)
      if (isFound === true) return sendRepeatedly(path, init, again, tries + 1)
      throw problemInstead() ?? error
    }
  }

  function problemInstead(): Error | undefined {
    return problem === undefined ? undefined : new Error(problem.message)
  }

  const client: MusterClient = connect({
    ...first,
    fetch: (input, init = {}) => {
      const path = String(input).slice(client.url.length)
      const mayRepeat = revive !== undefined && isRepeatable(init)
      return mayRepeat ? sendRepeatedly(path, init, revive) : send(path, init)
    },
  })
  return {
    client,
    lost: (say) => {
      pending ??= search(() => findAgain(say))
    },
    problem: () => problem,
  }
}

/** Streams are left out: whoever follows one continues after the last event. */
function isRepeatable(init: RequestInit): boolean {
  const headers = new Headers(init.headers)
  if (headers.get('accept') !== 'application/json') return false
  return init.method === 'GET' || headers.has('idempotency-key')
}

function originOf(url: string): string {
  return url.replace(/\/+$/, '')
}

async function untilAborted<Value>(
  work: Promise<Value> | undefined,
  signal: AbortSignal | undefined,
): Promise<Value | undefined> {
  if (work === undefined || signal === undefined) return work
  signal.throwIfAborted()
  const waiting = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    const listen = { signal: waiting.signal }
    signal.addEventListener('abort', () => reject(signal.reason), listen)
  })
  try {
    return await Promise.race([work, aborted])
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
