import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommandLine } from '../support/run-command-line.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { testRepository } from '../support/test-repository.ts'

const shared = shareDaemon()

function muster(cwd: string, ...words: readonly string[]) {
  return runCommandLine(words, { home: shared.home.home, cwd })
}

it('writes a playbook that is valid, listed before the shipped ones, and never overwritten', async () => {
  await using repository = await testRepository()
  const written = await muster(repository.path, 'playbooks', 'new', 'mine')
  expect([written.code, written.stdout]).toEqual([
    0,
    expect.stringContaining('wrote .muster/playbooks/mine/playbook.yaml'),
  ])
  const file = join(repository.path, '.muster/playbooks/mine/playbook.yaml')
  expect(await readFile(file, 'utf8')).toMatch(/^# For completion and checks in your editor/)
  expect(await muster(repository.path, 'playbooks', 'validate')).toMatchObject({
    code: 0,
    stdout: 'valid mine: a run makes at most 15 visits\n',
  })
  expect((await muster(repository.path, 'playbooks', 'list')).stdout).toMatch(
    /^PLAYBOOK.*\nmine +repository .*\narchitecture +shipped /,
  )
  const again = await muster(repository.path, 'playbooks', 'new', 'mine')
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('already exists')])
  expect((await muster(repository.path, 'playbooks', 'new', '../mine')).code).toBe(2)
})

it('writes nothing where a link of the repository leads', async () => {
  await using repository = await testRepository()
  await using place = await temporaryDirectory()
  await symlink(place.path, join(repository.path, '.muster'))
  const refused = await muster(repository.path, 'playbooks', 'new', 'mine')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is a symbolic link')])
  expect(await readdir(place.path)).toEqual([])
})

it('completes the names of playbooks', async () => {
  await using place = await temporaryDirectory()
  const offered = await muster(place.path, '__complete', 'playbooks', 'show', 're')
  expect(offered.stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
    'research',
    'review',
    'reviewed',
    '',
  ])
})

it('names file, line, column and field of every fault, and still lists the playbook', async () => {
  await using repository = await testRepository()
  const written = await muster(repository.path, 'playbooks', 'new', 'solo')
  expect(written.stdout).toContain(
    'in this repository, it takes the place of Muster\'s own playbook "solo"\n',
  )
  const folder = join(repository.path, '.muster/playbooks/solo')
  const file = join(folder, 'playbook.yaml')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('pass: review', 'pass: reviews').replace('failed: end.failed }', '}'))
  const report =
    /^\.muster\/playbooks\/solo\/playbook\.yaml:\d+:\d+ stages\.implement\.on: the outcome "failed" has no route; add one\n.*:\d+:\d+ stages\.check\.on\.pass: there is no stage "reviews"; did you mean "review"\?\ninvalid solo: 2 problems\n$/
  for (const named of ['solo', '.muster/playbooks/solo']) {
    const checked = await muster(repository.path, 'playbooks', 'validate', named)
    expect([checked.code, checked.stdout]).toEqual([2, expect.stringMatching(report)])
  }
  const shown = await muster(repository.path, 'playbooks', 'show', 'solo', '--json')
  expect([shown.code, JSON.parse(shown.stdout)]).toMatchObject([
    2,
    { data: { type: 'invalid', place: 'repository', faults: [{ line: expect.any(Number) }, {}] } },
  ])
  expect(await muster(repository.path, 'playbooks', 'list')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^solo +repository +- +invalid, 2 problems$/m),
    stderr: 'to see what is wrong: muster playbooks validate\n',
  })
})

it('shows shipped playbooks outside of a repository, too, and suggests names', async () => {
  await using place = await temporaryDirectory()
  const shown = await muster(place.path, 'playbooks', 'show', 'reviewed')
  expect([shown.code, shown.stdout]).toEqual([
    0,
    expect.stringContaining('-> revise, up to 3 times, then end.partial'),
  ])
  expect((await muster(place.path, 'playbooks', 'show', 'tdd', '--mermaid')).stdout).toMatch(
    /^flowchart TD\n/,
  )
  const missing = await muster(place.path, 'playbooks', 'show', 'developement')
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('Did you mean "development"?')])
  const schema = JSON.parse((await muster(place.path, 'playbooks', 'schema')).stdout)
  expect(schema.properties.stages.additionalProperties.oneOf).toHaveLength(5)
  await mkdir(join(place.path, 'empty'))
  const empty = await muster(place.path, 'playbooks', 'validate', './empty')
  expect([empty.code, empty.stdout]).toEqual([
    2,
    "empty/playbook.yaml playbook.yaml doesn't exist\ninvalid empty: 1 problem\n",
  ])
})
