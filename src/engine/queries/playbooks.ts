import { basename, dirname } from 'node:path'
import type { Playbook } from '../../domain/playbook/playbook.ts'
import type { PlaybookProblem } from '../../domain/playbook/playbook-problem.ts'
import { visitBound } from '../../domain/playbook/visit-bound.ts'
import { type Result, success } from '../../domain/result.ts'
import type {
  FoundPlaybook,
  PlaybookFault,
  PlaybookPlace,
  PlaybookSource,
} from '../../ports/playbook-source.ts'
import { findPlaybook, type PlaybookNotFound } from '../find-playbook.ts'
import { familyMember, readFamily } from '../read-family.ts'

type Needs = { readonly playbooks: PlaybookSource }

/** A playbook as it was found: ready to run, or with everything that is wrong with it. */
export type PlaybookView = {
  readonly name: string
  readonly directory: string
  /** Absent if it was asked for by its folder. */
  readonly place?: PlaybookPlace
} & (
  | {
      readonly type: 'valid'
      readonly playbook: Playbook
      readonly warnings: readonly PlaybookProblem[]
      readonly visitBound: number
      readonly hash: string
    }
  | { readonly type: 'invalid'; readonly faults: readonly PlaybookFault[] }
)

/** Everything that can be asked about playbooks. Nothing here runs one or changes a file. */
export interface PlaybookQueries {
  /** Those of the repository, then the person's own, then the shipped ones. Invalid ones are listed, too. */
  list(repositoryPath: string | undefined): Promise<readonly PlaybookView[]>
  show(name: string, repositoryPath: string | undefined): Promise<Result<PlaybookView, PlaybookNotFound>>
  /** Reads the playbook of a folder, wherever the folder is. */
  validate(directory: string): Promise<PlaybookView>
  schema(): Readonly<Record<string, unknown>>
}

export function createPlaybookQueries({ playbooks }: Needs): PlaybookQueries {
  return {
    async list(repositoryPath) {
      const found = await playbooks.list(repositoryPath)
      return await Promise.all(found.map((one) => view({ playbooks }, one, repositoryPath)))
    },
    async show(name, repositoryPath) {
      const found = await findPlaybook({ playbooks }, name, repositoryPath)
      return found.ok ? success(await view({ playbooks }, found.value, repositoryPath)) : found
    },
    validate: (directory) => view({ playbooks }, { name: basename(directory), directory }),
    schema: () => playbooks.schema(),
  }
}

type Found = Omit<FoundPlaybook, 'place'> & { readonly place?: PlaybookPlace }

/** Without a repository, the playbooks that it names are those nearest to its folder. */
async function view(needs: Needs, found: Found, repositoryPath?: string): Promise<PlaybookView> {
  const { playbooks } = needs
  const find = (name: string) =>
    found.place === undefined
      ? findNearest(needs, name, dirname(found.directory))
      : playbooks.find(name, repositoryPath)
  const { directory } = found
  const read = await playbooks.read(directory)
  const list = () => playbooks.list(repositoryPath)
  const family = read.ok ? await readFamily(needs, read.value, { find, list, directory }) : read
  if (!family.ok) return { ...found, type: 'invalid', faults: family.failure }
  const { playbook, review, hash } = family.value.folder
  const bound = visitBound(playbook, familyMember(family.value))
  return { ...found, type: 'valid', playbook, warnings: review.warnings, visitBound: bound, hash }
}

async function findNearest(
  { playbooks }: Needs,
  name: string,
  folder: string,
): Promise<FoundPlaybook | undefined> {
  const found = await playbooks.find(name, folder)
  const above = dirname(folder)
  return found?.place === 'repository' || above === folder ? found : findNearest({ playbooks }, name, above)
}
