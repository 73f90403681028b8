import { expect, it } from 'vitest'
import { success } from '../../../../domain/result.ts'
import { createGitCheck } from './check-git.ts'
import type { Git } from './run-git.ts'

function gitOfVersion(text: string): Git {
  return () =>
    Promise.resolve(
      success({ command: 'git version', code: 0, stdout: Buffer.from(text), stderr: '', isCut: false }),
    )
}

it.each(['git version 2.38.0', 'git version 2.50.1 (Apple Git-155)', 'git version 3.0'])(
  'accepts %s',
  async (text) => {
    expect(await createGitCheck(gitOfVersion(text))()).toEqual({ ok: true, value: undefined })
  },
)

it.each([
  ['git version 2.37.9', '2.37.9'],
  ['git version 1.99', '1.99'],
  ['something else', 'something else'],
])('refuses %s', async (text, version) => {
  expect(await createGitCheck(gitOfVersion(text))()).toEqual({
    ok: false,
    failure: { type: 'git-too-old', version, needed: '2.38' },
  })
})
