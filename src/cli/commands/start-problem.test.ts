import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { startProblem } from './start-problem.ts'

it('sends whoever has no agent to muster.yaml, and to init only when there is no such file', async () => {
  await using repository = await temporaryDirectory('muster-cli')
  const absent = { status: 422, type: 'agent-absent', message: 'No agent.', next: 'muster list agents' }
  expect((await startProblem(absent, { repositoryPath: repository.path })).next).toMatch(
    /^muster init, then add an agent under/,
  )
  await writeFile(join(repository.path, 'muster.yaml'), 'version: 1\n')
  expect((await startProblem(absent, { repositoryPath: repository.path })).next).toMatch(
    /^add an agent under `agents:` in muster\.yaml; see docs\/guides\/bring-your-own-agent\.md$/,
  )
})

it('sends whoever has no reviewer to the guide about reviews', async () => {
  const absent = { status: 422, type: 'agent-absent', message: 'No.', details: { role: 'reviewer' } }
  expect((await startProblem(absent, { repositoryPath: '/srv' })).next).toContain('docs/guides/review.md')
})

it('names the flag whose branch is missing, and leaves other refusals as they are', async () => {
  const missing = {
    status: 422,
    type: 'base-missing',
    message: 'No branch main~1.',
    next: 'git branch --list',
  }
  expect(await startProblem(missing, { repositoryPath: '/srv' })).toMatchObject({
    exitCode: 2,
    why: expect.stringContaining('--base'),
    next: expect.stringContaining('--base BRANCH'),
  })
  const other = { status: 422, type: 'goal-empty', message: 'Empty.', next: 'muster run "x"' }
  expect(await startProblem(other, { repositoryPath: '/srv' })).toMatchObject({
    message: 'Empty.',
    next: 'muster run "x"',
  })
})

it('tells the name of a base from that of a working branch', async () => {
  const invalid = { status: 422, type: 'branch-invalid', message: 'No.', details: { branch: 'main~1' } }
  const asBase = await startProblem(invalid, { repositoryPath: '/srv', baseBranch: 'main~1' })
  expect(asBase.next).toContain('--base BRANCH')
  const asBranch = await startProblem(invalid, { repositoryPath: '/srv', baseBranch: 'main' })
  expect(asBranch.next).toBeUndefined()
})
