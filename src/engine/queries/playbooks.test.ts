import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createFolderPlaybooks } from '../../adapters/playbooks/folder/folder-playbooks.ts'
import { createPlaybookQueries } from './playbooks.ts'

const SHIPPED = 'playbooks'

/** A repository and a person, who have these of the shipped playbooks as their own. */
async function places(own: { readonly repository: readonly string[]; readonly person: readonly string[] }) {
  const place = await temporaryDirectory()
  const repository = join(place.path, 'repository')
  const person = join(place.path, 'person')
  const mine = join(repository, '.muster', 'playbooks')
  await Promise.all([mkdir(mine, { recursive: true }), mkdir(person)])
  for (const name of own.repository) await cp(join(SHIPPED, name), join(mine, name), { recursive: true })
  for (const name of own.person) await cp(join(SHIPPED, name), join(person, name), { recursive: true })
  const queries = createPlaybookQueries({ playbooks: createFolderPlaybooks({ shipped: SHIPPED, person }) })
  return { queries, repository, mine, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() }
}

it("takes the repository's playbook before the person's, and that before a shipped one", async () => {
  await using at = await places({ repository: ['solo'], person: ['solo', 'review'] })
  const placeOf = async (name: string, repositoryPath?: string) => {
    const shown = await at.queries.show(name, repositoryPath)
    return shown.ok ? shown.value.place : shown.failure
  }
  expect(await placeOf('solo', at.repository)).toBe('repository')
  expect(await placeOf('solo')).toBe('person')
  expect(await placeOf('review', at.repository)).toBe('person')
  expect(await placeOf('tdd', at.repository)).toBe('shipped')
  const listed = await at.queries.list(at.repository)
  expect(listed.map(({ name, place }) => `${place} ${name}`)).toEqual([
    'repository solo',
    'person review',
    ...['architecture', 'best-of', 'development', 'research', 'reviewed', 'tdd'].map(
      (name) => `shipped ${name}`,
    ),
  ])
  expect(listed.every(({ type }) => type === 'valid')).toBe(true)
})

it('lists an invalid playbook with its faults instead of the valid one that it hides', async () => {
  await using at = await places({ repository: ['solo'], person: [] })
  const file = join(at.mine, 'solo', 'playbook.yaml')
  await writeFile(file, (await readFile(file, 'utf8')).replace('start: implement', 'start: implemen'))
  const [first] = await at.queries.list(at.repository)
  expect(first).toMatchObject({
    type: 'invalid',
    name: 'solo',
    faults: [{ file, line: 7, column: 1, field: 'start', problem: expect.stringContaining('"implement"') }],
  })
})

it('names a playbook that was probably meant', async () => {
  const queries = createPlaybookQueries({ playbooks: createFolderPlaybooks({ shipped: SHIPPED }) })
  const failed = async (name: string) => {
    const shown = await queries.show(name, undefined)
    return shown.ok ? undefined : shown.failure
  }
  expect(await failed('reserch')).toEqual({ type: 'playbook-not-found', name: 'reserch', meant: 'research' })
  expect(await failed('nonsense')).toEqual({ type: 'playbook-not-found', name: 'nonsense' })
})

it('reads a folder wherever it is, with or without a slash at its end', async () => {
  const queries = createPlaybookQueries({ playbooks: createFolderPlaybooks({ shipped: SHIPPED }) })
  expect(await queries.validate(join(process.cwd(), SHIPPED, 'solo/'))).toMatchObject({
    type: 'valid',
    name: 'solo',
    visitBound: 2,
  })
})
