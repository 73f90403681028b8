import { closestWord } from '../../domain/closest-word.ts'
import type { JobApproach } from '../../domain/job/job.ts'
import type { PlaybookStartFailure } from '../../domain/job/start-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { readInputs } from '../../domain/run/read-inputs.ts'
import type { PlaybookFolder, PlaybookSource } from '../../ports/playbook-source.ts'
import type { StartJobRequest } from './job-commands.ts'

/** A playbook that a job is to follow, with the values of its inputs. */
export type ChosenPlaybook = {
  readonly folder: PlaybookFolder
  readonly from?: JobApproach['from']
  readonly inputs: JobApproach['inputs']
}

/** Reads the playbook of a request, before anything of the job exists. */
export async function readPlaybook(
  { playbooks }: { readonly playbooks: PlaybookSource },
  { name, inputs }: NonNullable<StartJobRequest['playbook']>,
  repositoryPath: string,
): Promise<Result<ChosenPlaybook, PlaybookStartFailure>> {
  const found = await playbooks.find(name, repositoryPath)
  if (found === undefined) {
    const known = (await playbooks.list(repositoryPath)).map((one) => one.name)
    const meant = closestWord(name, known)
    return failure({ type: 'playbook-not-found', name, ...(meant === undefined ? {} : { meant }) })
  }
  const folder = await playbooks.read(found.directory)
  if (!folder.ok) {
    return failure({ type: 'playbook-invalid', name, directory: found.directory, faults: folder.failure })
  }
  const read = readInputs(folder.value.playbook, inputs)
  if (!read.ok) return failure({ type: 'playbook-input-invalid', name, problem: read.failure })
  const origin = found.place === 'shipped' ? {} : { from: found.place }
  return success({ folder: folder.value, ...origin, inputs: read.value })
}
