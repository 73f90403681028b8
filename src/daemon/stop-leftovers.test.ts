import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { silentLog } from '../../test/support/silent-log.ts'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { claimHome } from './claim-home.ts'
import { openEmbeddedPostgres } from './postgres/open-embedded-postgres.ts'
import { stopLeftovers } from './stop-leftovers.ts'

const execute = promisify(execFile)
const NOTHING = { ok: true, value: { hasStoppedDatabase: false, runningSessions: 0 } }

/** A home as a killed daemon leaves it: no one holds its lock, and its database runs. */
async function killedHome(directory: string) {
  const claimed = await claimHome(directory)
  if (!claimed.ok) throw new Error(claimed.failure.type)
  claimed.value.claim[Symbol.dispose]()
  const opened = await openEmbeddedPostgres({ log: silentLog }, { home: directory })
  if (!opened.ok) throw new Error(opened.failure.type)
  return opened.value
}

it('creates nothing where no daemon ever ran', async () => {
  await using directory = await temporaryDirectory('muster-left')
  const home = join(directory.path, 'home')

  expect(await stopLeftovers(home)).toEqual(NOTHING)
  expect(existsSync(home)).toBe(false)
})

it('stops the database of its own home, and not that of the home from which it was copied', async () => {
  await using directory = await temporaryDirectory('muster-left')
  const [home, copy] = [join(directory.path, 'home'), join(directory.path, 'copy')]
  await using server = await killedHome(home)
  await execute('cp', ['-a', home, copy])

  expect(await stopLeftovers(copy)).toEqual(NOTHING)
  expect(process.kill(server.pid, 0)).toBe(true)

  expect(await stopLeftovers(home)).toEqual({
    ok: true,
    value: { hasStoppedDatabase: true, runningSessions: 0 },
  })
  expect(existsSync(join(home, 'postgres/data/postmaster.pid'))).toBe(false)
  expect(await stopLeftovers(home)).toEqual(NOTHING)
})

it('refuses while a daemon that is starting or stopping has the home', async () => {
  await using directory = await temporaryDirectory('muster-left')
  const claimed = await claimHome(directory.path)
  if (!claimed.ok) throw new Error(claimed.failure.type)
  using _claim = claimed.value.claim

  expect(await stopLeftovers(directory.path)).toMatchObject({ failure: { type: 'daemon-busy' } })
})
