import { execFileSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../../test/support/temporary-directory.ts'
import { createGit } from '../process/run-git.ts'
import { failed, git, makeRepository, openStage } from '../testing/test-repository.ts'
import { findSettingsPipe } from './find-settings-pipe.ts'

it('finds a pipe that other files with settings include, even in a circle', async () => {
  await using directory = await temporaryDirectory()
  const home = directory.path
  const settings = join(home, '.gitconfig')
  const pipe = join(home, 'more/pipe')
  await mkdir(join(home, 'more'))
  await writeFile(settings, '[include]\n\tpath = ~/more/one\n\tpath = absent\n')
  await writeFile(
    join(home, 'more/one'),
    `[includeIf "gitdir:/x"]\n\tpath = pipe\n[include]\n\tpath = ${settings}\n`,
  )
  execFileSync('mkfifo', [pipe])
  const run = createGit({ gitConfigFile: join(home, 'own') })
  expect(await findSettingsPipe(run, [settings, '/dev/null'], home)).toBe(pipe)
  expect(await findSettingsPipe(run, [pipe], home)).toBe(pipe)
  await rm(pipe)
  expect(await findSettingsPipe(run, [settings, '/dev/null'], home)).toBeUndefined()
})

it('refuses a repository whose settings include a pipe', async () => {
  using stage = openStage()
  const source = join(stage.root, 'source')
  makeRepository(source, { file: 'x' })
  git(source, 'config', 'include.path', 'pipe')
  execFileSync('mkfifo', [join(source, '.git/pipe')])
  expect(failed(await stage.hub.branches.inspectSource(source))).toMatchObject({
    type: 'repository-unreadable',
    problem: expect.stringContaining(".git/pipe can't be read, because it is a named pipe"),
  })
})
