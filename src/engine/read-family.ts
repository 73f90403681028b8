import { RUN_LIMITS } from '../domain/limits/run-limits.ts'
import { childNames, findChildProblems } from '../domain/playbook/find-child-problems.ts'
import type { Playbook } from '../domain/playbook/playbook.ts'
import { failure, type Result, success } from '../domain/result.ts'
import type {
  FoundPlaybook,
  PlaybookFault,
  PlaybookFolder,
  PlaybookSource,
} from '../ports/playbook-source.ts'

type Needs = { readonly playbooks: PlaybookSource }

/** Where to look for the playbooks that a playbook's stages name. */
type FindPlaybook = (name: string) => Promise<Pick<FoundPlaybook, 'directory'> | undefined>

/** A playbook that can run, with every playbook that its stages can follow, at any depth. */
export type PlaybookFamily = {
  readonly folder: PlaybookFolder
  readonly children: readonly PlaybookFolder[]
}

type Surroundings = {
  readonly find: FindPlaybook
  readonly list: () => Promise<readonly { readonly name: string }[]>
  /** The folder of the playbook; absent if it was sent as texts. */
  readonly directory?: string
}

/** Reads all that a playbook can reach, so that nothing starts which can't be finished. */
export async function readFamily(
  { playbooks }: Needs,
  folder: PlaybookFolder,
  { find, list, directory }: Surroundings,
): Promise<Result<PlaybookFamily, readonly PlaybookFault[]>> {
  if (childNames(folder.playbook).length === 0) return success({ folder, children: [] })
  const { folders, invalid } = await readReached({ playbooks }, folder, find)
  const problems = findChildProblems(folder.playbook, {
    found: new Map(folders.map(({ playbook }) => [playbook.name, playbook])),
    invalid,
    known: (await list()).map(({ name }) => name),
  })
  if (problems.length > 0) return failure(playbooks.locate(folder, problems, directory))
  return success({ folder, children: folders.filter((one) => one !== folder) })
}

type Reached = { readonly folders: readonly PlaybookFolder[]; readonly invalid: readonly string[] }

async function readReached(
  { playbooks }: Needs,
  first: PlaybookFolder,
  find: FindPlaybook,
): Promise<Reached> {
  const folders = [first]
  const invalid: string[] = []
  const seen = new Set([first.playbook.name])
  const namesLeft = [...childNames(first.playbook)]
  for (let name = namesLeft.shift(); name !== undefined; name = namesLeft.shift()) {
    if (seen.has(name) || seen.size > RUN_LIMITS.family) continue
    seen.add(name)
    const found = await find(name)
    const read = found === undefined ? undefined : await playbooks.read(found.directory)
    if (read?.ok === false) invalid.push(name)
    if (read?.ok !== true) continue
    folders.push(read.value)
    namesLeft.push(...childNames(read.value.playbook))
  }
  return { folders, invalid }
}

type Member = Pick<PlaybookFolder, 'playbook'>
type Members = { readonly folder: Member; readonly children: readonly Member[] }

/** Finds a playbook of a family by name. */
export function familyMember({ folder, children }: Members): (name: string) => Playbook | undefined {
  const all = new Map([folder, ...children].map(({ playbook }) => [playbook.name, playbook]))
  return (name) => all.get(name)
}
