import { describe, expect, it } from 'vitest'
import type { Installation } from './compose.ts'
import { judgeOwnership } from './judge-ownership.ts'

const OWN = { id: 'h1', directory: '/home', database: { type: 'known', id: 'd1' } } as const
const NEW = { ...OWN, database: { type: 'none' } } as const
const OLD = { ...OWN, database: { type: 'unrecorded' } } as const
const COPY = { ...OWN, id: 'h2', copiedFrom: 'h1' } as const

const NONE: Installation = { type: 'none' }
const UNOWNED: Installation = { type: 'unowned' }
const owned = (homeId: string, databaseId = 'd1'): Installation => ({
  type: 'owned',
  homeId,
  databaseId,
  home: '/other',
  since: new Date(0),
})

const external = { isEmbedded: false, isAdopted: false }
const embedded = { ...external, isEmbedded: true }
const adopted = { ...external, isAdopted: true }

describe('a home and a database', () => {
  it.each([
    ['a new home and an empty database', NEW, NONE, external, 'usable'],
    ['a home and its database', OWN, owned('h1'), external, 'usable'],
    [
      'a first start that crashed before the home recorded its database',
      NEW,
      owned('h1'),
      external,
      'usable',
    ],
    ['an older home and its older database', OLD, UNOWNED, external, 'usable'],
    ['a copied home with its copied embedded database', COPY, owned('h1'), embedded, 'usable'],
    [
      'a copied home and the database of the original',
      COPY,
      owned('h1'),
      external,
      'database-of-another-home',
    ],
    ['a new home and the database of another', NEW, owned('h9'), external, 'database-of-another-home'],
    ['a home and an empty database after another', OWN, NONE, external, 'home-of-another-database'],
    ['a home whose embedded database was deleted', OWN, NONE, embedded, 'home-of-another-database'],
    [
      'a home that goes back to a database it had before',
      OWN,
      owned('h1', 'd0'),
      external,
      'home-of-another-database',
    ],
    [
      'an older home without the DATABASE_URL it used to have',
      OLD,
      NONE,
      embedded,
      'home-of-another-database',
    ],
    [
      'tables of something else',
      NEW,
      { type: 'foreign', schema: 'muster' } as const,
      adopted,
      'database-foreign',
    ],
    ['another database, adopted', OWN, owned('h9', 'd9'), adopted, 'usable'],
  ])('%s', (_, home, installation, settings, type) => {
    expect(judgeOwnership({ home, installation, ...settings }).type).toBe(type)
  })

  it('tells an adopted database from the one that the home had before', () => {
    expect(judgeOwnership({ home: OWN, installation: owned('h9', 'd9'), ...adopted })).toMatchObject({
      isOther: true,
    })
    expect(judgeOwnership({ home: OWN, installation: owned('h9'), ...adopted })).toMatchObject({
      isOther: false,
    })
    expect(judgeOwnership({ home: NEW, installation: owned('h9'), ...adopted })).toMatchObject({
      isOther: false,
    })
  })
})
