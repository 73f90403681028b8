import type { PgBoss } from 'pg-boss'
import type { Log } from '../../../ports/log.ts'
import type { Lane } from './lanes.ts'

/** How long to collect finished work, so that one statement removes many copies. */
const GATHER_MS = 50

type Needs = { readonly boss: PgBoss; readonly log: Log }

/** Removes the stored copies of finished work. Work whose copy is missed is done again, which has no effect. */
export class StoredCopies {
  readonly #needs: Needs
  readonly #finished = new Map<Lane, string[]>()
  #timer: NodeJS.Timeout | undefined

  constructor(needs: Needs) {
    this.#needs = needs
  }

  remove(lane: Lane, id: string): void {
    this.#finished.set(lane, [...(this.#finished.get(lane) ?? []), id])
    this.#timer ??= setTimeout(() => void this.flush(), GATHER_MS)
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const finished = [...this.#finished]
    this.#finished.clear()
    for (const [lane, ids] of finished) {
      try {
        await this.#needs.boss.deleteJob(lane, ids)
      } catch (error) {
        this.#needs.log.warn(
          { lane, count: ids.length, error: String(error) },
          'could not remove finished work from the queue',
        )
      }
    }
  }
}
