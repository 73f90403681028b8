import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { shellProject } from '../support/command-agents.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { testRepository } from '../support/test-repository.ts'

const shared = shareDaemon({ MUSTER_TRUST: '' })

function muster(cwd: string, ...words: readonly string[]) {
  return runCommandLine(words, { home: shared.home.home, cwd, environment: { MUSTER_TRUST: '' } })
}

describe('a cloned repository', () => {
  it('runs nothing of its own until the person trusts it, nor what an agent adds to its muster.yaml', async () => {
    await using place = await temporaryDirectory()
    const mark = join(place.path, 'mark')
    const change = `sed -i 's/"test -f README.md"/"touch ${mark.replaceAll('/', '\\/')}.2"/' muster.yaml`
    const script = `touch ${mark}\n${change}\ngit commit -qam 'Change the checks'`
    await using repository = await testRepository(shellProject([{ description: 'Change it', script }]))
    const untrusted = await muster(repository.path, 'run', 'change it')
    expect(untrusted.code).toBe(2)
    expect(untrusted.stderr).toContain(`trust ${repository.path}`)
    expect(existsSync(mark)).toBe(false)
    for (const words of [['status'], ['list', 'jobs'], ['list', 'agents'], ['trust', '--list']])
      expect((await muster(repository.path, ...words)).code).toBe(0)

    expect((await muster(repository.path, 'trust', '--yes')).stdout).toContain('tools/worker.sh')
    const trusted = await muster(repository.path, 'run', 'change it', '--branch', 'changed')
    expect(trusted.code).toBe(0)
    expect(existsSync(mark)).toBe(true)
    await repository.git('merge', '-q', 'changed')
    expect(await readFile(join(repository.path, 'muster.yaml'), 'utf8')).toContain('.2')
    const merged = await muster(repository.path, 'run', 'again')
    expect([merged.code, merged.stderr]).toEqual([2, expect.stringContaining('changed since you trusted it')])
    expect(existsSync(`${mark}.2`)).toBe(false)
  })

  it('sends no request to the address that its muster.yaml names', async () => {
    const model = { provider: 'openai', model: 'x', baseUrl: 'http://127.0.0.1:9' }
    const text = JSON.stringify({ models: { m: model }, planner: { model: 'm' } })
    await using repository = await testRepository({ 'muster.yaml': text })
    const refused = await shared.client.startJob({ repositoryPath: repository.path, requestDocument: 'x' })
    expect(refused.ok ? undefined : refused.failure).toMatchObject({
      status: 403,
      type: 'configuration-untrusted',
      details: {
        parts: [
          { field: 'models.m.baseUrl', value: 'http://127.0.0.1:9', effect: 'sends-keys' },
          { field: 'models.m.provider', value: 'openai', effect: 'sends-keys' },
        ],
      },
    })
  })
})

it('trusts the file that init wrote', async () => {
  await using repository = await testRepository({ 'go.mod': 'module x\n' })
  expect((await muster(repository.path, 'init')).code).toBe(0)
  const shown = await muster(repository.path, 'trust', '--json')
  expect(JSON.parse(shown.stdout)).toMatchObject({
    data: {
      isTrusted: true,
      parts: expect.arrayContaining([expect.objectContaining({ field: 'checks[0]' })]),
    },
  })
  await writeFile(join(repository.path, 'muster.yaml'), 'checks: [other]\n')
  expect((await muster(repository.path, 'trust')).code).toBe(2)
})
