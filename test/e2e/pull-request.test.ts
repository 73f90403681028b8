import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openStandInForge } from '../../src/cli/testing/stand-in-forge.ts'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { runJob } from '../support/run-job.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

// What the command pushes, opens and refuses is tested in src/cli/pull-request. This is one whole way.

const shared = shareDaemon()

it('pushes what a job landed to a real remote and opens a pull request with its evidence', async () => {
  await using forge = await openStandInForge()
  await using repository = await testRepository(
    shellProject([{ description: 'tell @octocat, fixes #7', script: commitFile('one.txt', 'one') }], {
      checks: ['test -f one.txt || test -f tools/worker.sh'],
    }),
  )
  const remote = join(repository.path, '..', 'remote.git')
  const url = 'https://github.com/octo/repo.git'
  await repository.git('init', '-q', '--bare', remote)
  await repository.git('push', '-q', remote, 'main')
  await repository.git('remote', 'add', 'origin', url)
  const settings = join(repository.path, '..', 'gitconfig')
  writeFileSync(settings, `[url "${remote}"]\n\tinsteadOf = ${url}\n`)
  const job = await runJob(shared.client, repository, { requestDocument: '- write the file' })
  const before = await repository.fingerprint()

  const run = await runCommandLine(['pr', job.id, '--api-url', forge.url], {
    home: shared.home.home,
    environment: { GITHUB_TOKEN: 'forge-token', GH_TOKEN: '', GIT_CONFIG_GLOBAL: settings },
  })
  expect([run.code, run.stderr]).toEqual([0, ''])
  expect(run.stdout).toContain('Opened pull request 1 into main: https://github.com/octo/repo/pull/1\n')

  const pushed = ['--git-dir', remote, 'ls-tree', '-r', '--name-only', job.workingBranch] as const
  const files = (await repository.git(...pushed)).split('\n')
  expect(files).toContain('one.txt')
  expect(files).not.toContain('TASKLIST.md')
  const body = String(forge.calls.at(-1)?.body?.['body'])
  expect(body).toContain('## Ready to merge')
  expect(body).toContain('(verified in git)')
  expect(body).not.toMatch(/@octocat|#7/)
  expect(await repository.fingerprint()).toBe(before)
})
