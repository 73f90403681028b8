import { afterAll, beforeAll } from 'vitest'
import type { MusterClient } from '../../src/client/index.ts'
import { quickHome } from './quick-home.ts'
import type { TestDaemon, TestHome } from './test-daemon.ts'

export type SharedDaemon = {
  readonly home: TestHome
  /** The daemon that runs now. */
  readonly daemon: TestDaemon
  readonly client: MusterClient
  /** Starts the next daemon in the same home, after a test has stopped or killed the last one. */
  startNext(): Promise<void>
}

/**
 * One home and one daemon for all tests of a file, because starting a daemon takes longer than most tests. Stopped
 * programs get half a second to exit, since some tests stop programs that never would.
 */
export function shareDaemon(environment: Readonly<Record<string, string>> = {}): SharedDaemon {
  const settings = { MUSTER_STOP_GRACE_MS: '500', ...environment }
  let home: TestHome
  let daemon: TestDaemon
  beforeAll(async () => {
    home = await quickHome()
    daemon = await home.start(settings)
  })
  afterAll(() => home[Symbol.asyncDispose]())
  return {
    get home() {
      return home
    },
    get daemon() {
      return daemon
    },
    get client() {
      return daemon.client
    },
    async startNext() {
      daemon = await home.start(settings)
    },
  }
}
