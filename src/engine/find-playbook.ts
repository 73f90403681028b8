import { closestWord } from '../domain/closest-word.ts'
import type { PlaybookStartFailure } from '../domain/job/start-failure.ts'
import { failure, type Result, success } from '../domain/result.ts'
import type { FoundPlaybook, PlaybookSource } from '../ports/playbook-source.ts'

export type PlaybookNotFound = Extract<PlaybookStartFailure, { readonly type: 'playbook-not-found' }>

/** Finds a playbook by its name; the failure has the name that was probably meant. */
export async function findPlaybook(
  { playbooks }: { readonly playbooks: PlaybookSource },
  name: string,
  repositoryPath: string | undefined,
): Promise<Result<FoundPlaybook, PlaybookNotFound>> {
  const found = await playbooks.find(name, repositoryPath)
  if (found !== undefined) return success(found)
  const known = await playbooks.list(repositoryPath)
  const meant = closestWord(
    name,
    known.map((one) => one.name),
  )
  return failure({ type: 'playbook-not-found', name, ...(meant === undefined ? {} : { meant }) })
}
