import { readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WireDiskUse, WireStorage } from '../contract/storage.ts'
import type { HubCopies } from '../ports/hub-copies.ts'
import type { Records } from '../ports/store/store.ts'
import { bytesUsedBy } from './disk-use.ts'

type Needs = { readonly home: string; readonly hubs: HubCopies; readonly read: Records }

type HomeUse = Pick<WireStorage, 'usedBytes' | 'freeBytes' | 'folders'>

/** Walking through all trees takes a while, so the status measures again only if the last measurement is this old. */
const FRESH_MS = 5 * 60_000
/** How long the status waits for a new measurement. In a small home, it takes less. */
const PATIENCE_MS = 500
const PROJECTS = 200

/** What the home occupies, and whether its repositories are intact. */
export class Storage {
  readonly #needs: Needs
  #last: HomeUse | undefined
  #measuring: Promise<HomeUse> | undefined
  #measuredAt = Number.NEGATIVE_INFINITY

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /**
   * The last measurement with its age; undefined until there is one. If it is old, waits a moment for a new one, which
   * then continues in the background.
   */
  async glance(patienceMs = PATIENCE_MS): Promise<WireDiskUse | undefined> {
    if (performance.now() - this.#measuredAt > FRESH_MS) {
      // A home that disappears while it is measured is reported by others.
      const measured = this.#measure().catch(() => undefined)
      await Promise.race([measured, sleep(patienceMs, undefined, { ref: false })])
    }
    if (this.#last === undefined) return undefined
    const { usedBytes, freeBytes } = this.#last
    return { usedBytes, freeBytes, ageMs: Math.round(performance.now() - this.#measuredAt) }
  }

  async inspect(): Promise<WireStorage> {
    const use = await this.#measure()
    return { ...use, repositories: await inspectHubs(this.#needs) }
  }

  #measure(): Promise<HomeUse> {
    this.#measuring ??= measureHome(this.#needs.home)
      .then((use) => {
        this.#measuredAt = performance.now()
        this.#last = use
        return use
      })
      .finally(() => {
        this.#measuring = undefined
      })
    return this.#measuring
  }
}

async function measureHome(home: string): Promise<HomeUse> {
  const { bavail, bsize } = await statfs(home)
  const folders: { name: string; bytes: number }[] = []
  for (const entry of await readdir(home, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    folders.push({ name: entry.name, bytes: await bytesUsedBy(join(home, entry.name)) })
  }
  folders.sort((one, other) => other.bytes - one.bytes)
  const usedBytes = folders.reduce((sum, { bytes }) => sum + bytes, 0)
  return { freeBytes: bavail * bsize, usedBytes, folders }
}

/** A project gets its hub with its first job, so a project without one is a project that lost it. */
async function inspectHubs({ hubs, read }: Needs): Promise<WireStorage['repositories']> {
  const projects = (await read.projects.list()).slice(0, PROJECTS)
  const found: WireStorage['repositories'] = []
  for (const { id, path } of projects) {
    const { type, ...rest } = await hubs.check(id)
    found.push({ project: id, path, status: type, ...rest })
  }
  return found
}
