import type { PlaybookReview } from '../domain/playbook/check-playbook.ts'
import type { Playbook } from '../domain/playbook/playbook.ts'
import type { PlaybookProblem } from '../domain/playbook/playbook-problem.ts'
import type { Result } from '../domain/result.ts'

/** Where a playbook was found. If several places have one of the same name, the first of these wins. */
export const PLAYBOOK_PLACES = ['repository', 'person', 'shipped'] as const
export type PlaybookPlace = (typeof PLAYBOOK_PLACES)[number]

/** A playbook that can run, with every file it is made of. */
export type PlaybookFolder = {
  readonly playbook: Playbook
  readonly review: PlaybookReview
  /** The texts of its playbook.yaml, prompts and schemas, by their names in it. */
  readonly files: Readonly<Record<string, string>>
  /** Over names and texts of all files: two folders with the same hash are the same playbook. */
  readonly hash: string
}

/** One thing that is wrong, and where. Lines and columns start at 1. */
export type PlaybookFault = {
  readonly file: string
  readonly line?: number
  readonly column?: number
  /** The field, written as `stages.review.on`; empty for the whole file. */
  readonly field: string
  readonly problem: string
}

export type FoundPlaybook = {
  readonly name: string
  readonly place: PlaybookPlace
  readonly directory: string
}

/**
 * Finds and reads playbooks.
 *
 * Contract: read-only; starts nothing and follows no link out of a playbook's folder. A folder that isn't a valid
 * playbook is a failure with every fault that was found, in the order of the file. `find` gives undefined if no place
 * has the name.
 */
export interface PlaybookSource {
  list(repositoryPath: string | undefined): Promise<readonly FoundPlaybook[]>
  find(name: string, repositoryPath: string | undefined): Promise<FoundPlaybook | undefined>
  /** One that comes with Muster, even if another place has one of the same name. */
  findShipped(name: string): Promise<FoundPlaybook | undefined>
  read(directory: string): Promise<Result<PlaybookFolder, readonly PlaybookFault[]>>
  /** The same for a playbook whose files are given: `playbook.yaml`, and the others by the names it uses for them. */
  readFiles(
    files: Readonly<Record<string, string>>,
  ): Promise<Result<PlaybookFolder, readonly PlaybookFault[]>>
  /** Where further problems of a playbook that was read are in its file. Without a folder, it was sent as texts. */
  locate(
    folder: PlaybookFolder,
    problems: readonly PlaybookProblem[],
    directory?: string,
  ): readonly PlaybookFault[]
  /** The JSON Schema of a playbook.yaml, for editors. */
  schema(): Readonly<Record<string, unknown>>
}
