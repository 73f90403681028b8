import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { findDatabaseUrl } from './database-url.ts'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>

beforeEach(async () => {
  directory = await temporaryDirectory('muster-config')
  await mkdir(join(directory.path, 'muster'))
  vi.stubEnv('XDG_CONFIG_HOME', directory.path)
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await directory[Symbol.asyncDispose]()
})

const configure = (text: string) => writeFile(join(directory.path, 'muster/config.yaml'), text)
const ENVIRONMENT = { DATABASE_URL: 'postgresql://application/app' }

describe('the database that a daemon uses', () => {
  it('is the embedded one, even if an application has set DATABASE_URL', async () => {
    expect(await findDatabaseUrl(ENVIRONMENT)).toEqual({ ok: true, value: undefined })
  })

  it("is named by the person's configuration, by its URL or by a variable", async () => {
    await configure('database: { url: "postgresql://own/muster" }')
    expect(await findDatabaseUrl(ENVIRONMENT)).toEqual({ ok: true, value: 'postgresql://own/muster' })
    await configure('database: { env: DATABASE_URL }')
    expect(await findDatabaseUrl(ENVIRONMENT)).toEqual({ ok: true, value: ENVIRONMENT.DATABASE_URL })
    expect(await findDatabaseUrl({})).toMatchObject({ ok: false, failure: { type: 'setting-invalid' } })
    await configure('database: somewhere')
    expect(await findDatabaseUrl({})).toMatchObject({
      failure: { problem: expect.stringContaining('config.yaml:1: database: must be either') },
    })
  })

  it('is MUSTER_DATABASE_URL before everything else', async () => {
    await configure('database: { env: DATABASE_URL }')
    const own = 'postgresql://own/muster'
    expect(await findDatabaseUrl({ ...ENVIRONMENT, MUSTER_DATABASE_URL: own })).toEqual({
      ok: true,
      value: own,
    })
    expect(await findDatabaseUrl({ ...ENVIRONMENT, MUSTER_DATABASE_URL: 'embedded' })).toEqual({
      ok: true,
      value: undefined,
    })
  })
})
