import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { digestOfVariable } from '../../contract/environment.ts'
import { compareEnvironments } from './environment-gap.ts'

const TOKEN = 'token'

async function variable(name: string, value?: string) {
  const providers = ['claude-code']
  return value === undefined
    ? { name, providers }
    : { name, providers, digest: await digestOfVariable(TOKEN, name, value) }
}

it('finds the credentials that the daemon lacks or has with another value', async () => {
  const variables = await Promise.all([
    variable('SAME', 'value'),
    variable('OTHER', 'old'),
    variable('MISSING'),
    variable('EMPTY'),
    variable('ONLY_THERE', 'value'),
  ])
  const own = { SAME: 'value', OTHER: 'new', MISSING: 'value', EMPTY: '', UNRELATED: 'value' }
  expect(await compareEnvironments(own, TOKEN, { searchPath: [], variables })).toEqual({
    directories: [],
    variables: [
      { name: 'OTHER', providers: ['claude-code'], isSet: true },
      { name: 'MISSING', providers: ['claude-code'], isSet: false },
    ],
  })
})

it('gives equal values of two variables or of two homes different digests', async () => {
  const digest = await digestOfVariable(TOKEN, 'ONE', 'value')
  expect(await digestOfVariable(TOKEN, 'ONE', 'value')).toBe(digest)
  expect(await digestOfVariable(TOKEN, 'TWO', 'value')).not.toBe(digest)
  expect(await digestOfVariable('other', 'ONE', 'value')).not.toBe(digest)
})

it("finds the directories that the daemon's PATH lacks, except those of npm and those that do not exist", async () => {
  await using directory = await temporaryDirectory('muster-path')
  const [known, own, npm, gone] = ['known', 'own', 'node_modules/.bin', 'gone'].map((name) =>
    join(directory.path, name),
  ) as [string, string, string, string]
  for (const place of [known, own, npm]) await mkdir(place, { recursive: true })
  const PATH = [npm, `${own}/`, own, known, gone, '', 'relative'].join(':')
  const daemon = { searchPath: [`${known}/`, '/usr/bin'], variables: [] }
  expect(await compareEnvironments({ PATH }, TOKEN, daemon)).toEqual({ directories: [own], variables: [] })
})
