import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { machineFindings } from './machine-findings.ts'

async function gitIn(home: string) {
  const environment = { PATH: env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
  const findings = await machineFindings({ environment, cwd: home })
  return findings.find(({ subject }) => subject === 'git')
}

it('accepts git with ordinary settings, or with none', async () => {
  await using home = await temporaryDirectory()
  expect(await gitIn(home.path)).toMatchObject({ level: 'ok' })
  await writeFile(join(home.path, '.gitconfig'), '[user]\n\tname = Ada\n')
  expect(await gitIn(home.path)).toMatchObject({ level: 'ok' })
})

it("reports a named pipe in the place of git's settings without waiting for it", async () => {
  await using home = await temporaryDirectory()
  const file = join(home.path, '.gitconfig')
  execFileSync('mkfifo', [file])
  expect(await gitIn(home.path)).toMatchObject({
    level: 'fail',
    detail: expect.stringContaining(`${file} is a named pipe`),
  })
})

it('reports settings that git cannot read', async () => {
  await using home = await temporaryDirectory()
  await writeFile(join(home.path, '.gitconfig'), '[user\n')
  expect(await gitIn(home.path)).toMatchObject({
    level: 'fail',
    detail: expect.stringContaining('bad config line 1'),
  })
})
