import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreCodes } from '../domain/system-error.ts'
import { type Home, IDENTITY_FILE } from './home-files.ts'
import { type HomePlace, isSamePlace, placeOf } from './home-place.ts'
import { setAside } from './set-aside.ts'
import { writeFileWhole } from './write-file-whole.ts'

/** The database that a home is used with. */
export type HomeDatabase =
  /** None yet. */
  | { readonly type: 'none' }
  /** One that an earlier version of Muster used, without recording which. */
  | { readonly type: 'unrecorded' }
  | { readonly type: 'known'; readonly id: string }

export type HomeIdentity = {
  readonly id: string
  /** The id of the home that this one was copied from. */
  readonly copiedFrom?: string
  readonly place: HomePlace
  readonly database: HomeDatabase
}

/**
 * What in a copied home leads to processes, sockets or databases of the original. Without these, the copy can neither
 * signal nor contact them. Its rows say that sessions are running: their hosts are gone here, so they end as lost.
 */
const OF_THE_ORIGINAL = [
  'hosts',
  'terminals',
  'daemon.json',
  'token',
  'port',
  'postgres/location',
  'postgres/socket-directory',
  'postgres/data/postmaster.pid',
]

/** The identity of a home, created at its first start. A copy gets its own. The caller holds the home's lock. */
export async function openIdentity(home: Home): Promise<HomeIdentity> {
  const place = placeOf(home.directory)
  const known = await readIdentity(home.identity)
  if (known === undefined) {
    const database = existsSync(home.token) ? ({ type: 'unrecorded' } as const) : ({ type: 'none' } as const)
    return saveIdentity(home, { id: newId(), place, database })
  }
  if (isSamePlace(known.place, place)) return saveIdentity(home, { ...known, place })
  await setAside(home.directory, OF_THE_ORIGINAL)
  return saveIdentity(home, { id: newId(), copiedFrom: known.id, place, database: known.database })
}

/**
 * The path under which a home was used before, if it still leads to the same directory, as when a home is mounted twice.
 * Working trees name the hub by its path, so the path must not change without need.
 */
export async function usualPathOf(directory: string): Promise<string> {
  const path = (await readIdentity(join(directory, IDENTITY_FILE)))?.place.path
  if (path === undefined) return directory
  try {
    const [usual, given] = [placeOf(path), placeOf(directory)]
    const isSame = usual.inode === given.inode && usual.device === given.device
    return isSame && usual.path !== given.path ? path : directory
  } catch {
    // It was moved.
    return directory
  }
}

export async function saveIdentity(home: Home, identity: HomeIdentity): Promise<HomeIdentity> {
  await writeFileWhole(home.identity, `${JSON.stringify(identity, undefined, 2)}\n`)
  return identity
}

function newId(): string {
  return randomBytes(8).toString('hex')
}

async function readIdentity(path: string): Promise<HomeIdentity | undefined> {
  const text = await readFile(path, 'utf8').catch(ignoreCodes('ENOENT'))
  if (text === undefined) return undefined
  const found = parse(text)
  if (found === undefined) throw new Error(`${path} is damaged; restore it from a backup of the home`)
  return found
}

function parse(text: string): HomeIdentity | undefined {
  try {
    const value = JSON.parse(text) as Partial<HomeIdentity>
    const isWhole =
      typeof value.id === 'string' && typeof value.place?.inode === 'string' && value.database?.type
    return isWhole ? (value as HomeIdentity) : undefined
  } catch {
    // Only Muster writes the file, and writes it whole.
    return undefined
  }
}
