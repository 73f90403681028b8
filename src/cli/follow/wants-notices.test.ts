import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { wantsNotices } from './wants-notices.ts'

it('obeys the flag, then the variable, then the own configuration', async () => {
  await using directory = await temporaryDirectory('muster-config')
  const userDirectory = directory.path
  expect(await wantsNotices({ environment: {}, userDirectory }, undefined)).toBe(false)
  await mkdir(join(userDirectory, '.config/muster'), { recursive: true })
  await writeFile(join(userDirectory, '.config/muster/config.yaml'), 'notify: true\n')
  expect(await wantsNotices({ environment: {}, userDirectory }, undefined)).toBe(true)
  const environment = { MUSTER_NOTIFY: '0' }
  expect(await wantsNotices({ environment, userDirectory }, undefined)).toBe(false)
  expect(await wantsNotices({ environment, userDirectory }, true)).toBe(true)
  expect(await wantsNotices({ environment: {}, userDirectory }, false)).toBe(false)
})

it('ignores a file that it cannot read', async () => {
  await using directory = await temporaryDirectory('muster-config')
  const environment = { XDG_CONFIG_HOME: directory.path }
  await mkdir(join(directory.path, 'muster'))
  await writeFile(join(directory.path, 'muster/config.yaml'), 'notify: [\n')
  expect(await wantsNotices({ environment, userDirectory: '/nonexistent' }, undefined)).toBe(false)
})
