import { closestWord } from '../../domain/closest-word.ts'
import type { JobApproach } from '../../domain/job/job.ts'
import type { PlaybookStartFailure } from '../../domain/job/start-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { readInputs } from '../../domain/run/read-inputs.ts'
import type { PlaybookFolder, PlaybookSource } from '../../ports/playbook-source.ts'
import type { PlaybookRequest } from './job-commands.ts'

/** A playbook that a job is to follow, with the values of its inputs. */
export type ChosenPlaybook = {
  readonly folder: PlaybookFolder
  readonly from?: JobApproach['from']
  readonly inputs: JobApproach['inputs']
}

type Needs = { readonly playbooks: PlaybookSource }
type Found = Omit<ChosenPlaybook, 'inputs'>

/** Reads the playbook of a request, before anything of the job exists. */
export async function readPlaybook(
  needs: Needs,
  request: PlaybookRequest,
  repositoryPath: string,
): Promise<Result<ChosenPlaybook, PlaybookStartFailure>> {
  const found =
    'files' in request
      ? await readSent(needs, request.files)
      : await readNamed(needs, request.name, repositoryPath)
  if (!found.ok) return found
  const { playbook } = found.value.folder
  const read = readInputs(playbook, request.inputs)
  if (!read.ok) return failure({ type: 'playbook-input-invalid', name: playbook.name, problem: read.failure })
  return success({ ...found.value, inputs: read.value })
}

async function readNamed(
  { playbooks }: Needs,
  name: string,
  repositoryPath: string,
): Promise<Result<Found, PlaybookStartFailure>> {
  const found = await playbooks.find(name, repositoryPath)
  if (found === undefined) {
    const known = (await playbooks.list(repositoryPath)).map((one) => one.name)
    const meant = closestWord(name, known)
    return failure({ type: 'playbook-not-found', name, ...(meant === undefined ? {} : { meant }) })
  }
  const { directory } = found
  const folder = await playbooks.read(directory)
  if (!folder.ok) return failure({ type: 'playbook-invalid', name, directory, faults: folder.failure })
  return success({ folder: folder.value, ...(found.place === 'shipped' ? {} : { from: found.place }) })
}

async function readSent(
  { playbooks }: Needs,
  files: Readonly<Record<string, string>>,
): Promise<Result<Found, PlaybookStartFailure>> {
  const folder = await playbooks.readFiles(files)
  if (!folder.ok) return failure({ type: 'playbook-invalid', name: '', faults: folder.failure })
  return success({ folder: folder.value, from: 'request' })
}
