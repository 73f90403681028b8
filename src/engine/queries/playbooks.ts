import { basename } from 'node:path'
import { closestWord } from '../../domain/closest-word.ts'
import type { Playbook } from '../../domain/playbook/playbook.ts'
import type { PlaybookProblem } from '../../domain/playbook/playbook-problem.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type {
  FoundPlaybook,
  PlaybookFault,
  PlaybookPlace,
  PlaybookSource,
} from '../../ports/playbook-source.ts'

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

export type PlaybookNotFound = {
  readonly type: 'playbook-not-found'
  readonly name: string
  /** The name that was probably meant. */
  readonly meant?: string
}

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
      return await Promise.all(found.map((one) => view({ playbooks }, one)))
    },
    async show(name, repositoryPath) {
      const found = await playbooks.find(name, repositoryPath)
      if (found !== undefined) return success(await view({ playbooks }, found))
      const known = await playbooks.list(repositoryPath)
      const meant = closestWord(
        name,
        known.map((one) => one.name),
      )
      return failure({ type: 'playbook-not-found', name, ...(meant === undefined ? {} : { meant }) })
    },
    validate: (directory) => view({ playbooks }, { name: basename(directory), directory }),
    schema: () => playbooks.schema(),
  }
}

async function view(
  { playbooks }: Needs,
  found: Omit<FoundPlaybook, 'place'> & { readonly place?: PlaybookPlace },
): Promise<PlaybookView> {
  const read = await playbooks.read(found.directory)
  if (!read.ok) return { ...found, type: 'invalid', faults: read.failure }
  const { playbook, review, hash } = read.value
  const { warnings, visitBound } = review
  return { ...found, type: 'valid', playbook, warnings, visitBound, hash }
}
