import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { accountHomeOf } from './account-home.ts'

it("is the account's directory if HOME names another", async () => {
  // The other tests may work in /dev/shm, which belongs to the system.
  await using directory = await temporaryDirectory('muster-account', '/tmp')
  const account = join(directory.path, 'ada')
  await mkdir(account)
  expect(accountHomeOf(directory.path, `${account}/`)).toEqual({ accountHome: account })
})

it('is nothing of its own if both are the same directory, or if there is none', async () => {
  await using directory = await temporaryDirectory('muster-account')
  const [account, link] = [join(directory.path, 'ada'), join(directory.path, 'link')]
  await mkdir(account)
  await symlink(account, link)
  expect(accountHomeOf(account, account)).toEqual({})
  expect(accountHomeOf(account, link)).toEqual({})
  expect(accountHomeOf(account, join(directory.path, 'absent'))).toEqual({})
  expect(accountHomeOf(account, undefined)).toEqual({})
})

it.each(['/', '/usr/sbin', '/bin', '/dev', '/tmp', '/var/lib'])(
  'is never %s, which programs need or others share',
  async (account) => {
    expect(accountHomeOf('/nowhere', account)).toEqual({})
  },
)
