import type { JobApproach } from '../../domain/job/job.ts'
import type { PlaybookStartFailure } from '../../domain/job/start-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { readInputs } from '../../domain/run/read-inputs.ts'
import type {
  FoundPlaybook,
  PlaybookFault,
  PlaybookFolder,
  PlaybookSource,
} from '../../ports/playbook-source.ts'
import type { PinnedPlaybook } from '../../ports/store/pinned-playbook-records.ts'
import { findPlaybook } from '../find-playbook.ts'
import { type PlaybookFamily, readFamily } from '../read-family.ts'
import { assignAgents } from './assign-agents.ts'
import type { PlaybookRequest } from './job-commands.ts'

/** What of a playbook a job keeps. */
export type PinnableFolder = Pick<PlaybookFolder, 'playbook' | 'files' | 'hash'>

/** A playbook that a job is to follow, with the values of its inputs. */
export type ChosenPlaybook = {
  readonly folder: PinnableFolder
  /** Every playbook that its stages can follow. */
  readonly children: readonly PinnableFolder[]
  readonly from?: JobApproach['from']
  readonly inputs: JobApproach['inputs']
  /** The agents that the person named for its roles; absent if none. */
  readonly named?: readonly string[]
}

const REVIEWED = 'reviewed'

type Needs = { readonly playbooks: PlaybookSource }
type Found = Omit<ChosenPlaybook, 'inputs' | 'named'>

/** Reads the playbook of a request, with all that it can reach, before anything of the job exists. */
export async function readPlaybook(
  needs: Needs,
  request: PlaybookRequest,
  repositoryPath: string,
): Promise<Result<ChosenPlaybook, PlaybookStartFailure>> {
  const found =
    'files' in request
      ? await readSent(needs, request.files, repositoryPath)
      : await readNamed(needs, request.name, repositoryPath)
  if (!found.ok) return found
  const { playbook } = found.value.folder
  const read = readInputs(playbook, request.inputs)
  if (!read.ok) return failure({ type: 'playbook-input-invalid', name: playbook.name, problem: read.failure })
  const assigned = assignAgents<ChosenPlaybook>({ ...found.value, inputs: read.value }, request)
  if (assigned.ok) return assigned
  return failure({ type: 'playbook-input-invalid', name: playbook.name, problem: assigned.failure })
}

/** The playbook by which a job that reviews everything works on its tasks. It is always Muster's own. */
export async function readReviewed(
  { playbooks }: Needs,
  repositoryPath: string,
): Promise<Result<ChosenPlaybook, PlaybookStartFailure>> {
  const found = await playbooks.findShipped(REVIEWED)
  if (found === undefined) return failure({ type: 'playbook-not-found', name: REVIEWED })
  const read = await readFound({ playbooks }, found, repositoryPath)
  return read.ok ? success({ ...read.value, inputs: {} }) : read
}

/** Reads the playbook of a name, with all that it can reach. */
export async function readNamed(
  needs: Needs,
  name: string,
  repositoryPath: string | undefined,
): Promise<Result<Found, PlaybookStartFailure>> {
  const found = await findPlaybook(needs, name, repositoryPath)
  return found.ok ? await readFound(needs, found.value, repositoryPath) : found
}

async function readFound(
  { playbooks }: Needs,
  { name, place, directory }: FoundPlaybook,
  repositoryPath: string | undefined,
): Promise<Result<Found, PlaybookStartFailure>> {
  const family = await readAll({ playbooks }, await playbooks.read(directory), repositoryPath, directory)
  if (!family.ok) return failure({ type: 'playbook-invalid', name, directory, faults: family.failure })
  return success({ ...family.value, ...(place === 'shipped' ? {} : { from: place }) })
}

async function readSent(
  { playbooks }: Needs,
  files: Readonly<Record<string, string>>,
  repositoryPath: string,
): Promise<Result<Found, PlaybookStartFailure>> {
  const family = await readAll({ playbooks }, await playbooks.readFiles(files), repositoryPath)
  if (!family.ok) return failure({ type: 'playbook-invalid', name: '', faults: family.failure })
  return success({ ...family.value, from: 'request' })
}

/** A folder that was read, with all that its stages can follow. */
export async function readAll(
  needs: Needs,
  folder: Result<PlaybookFolder, readonly PlaybookFault[]>,
  repositoryPath: string | undefined,
  directory?: string,
): Promise<Result<PlaybookFamily, readonly PlaybookFault[]>> {
  if (!folder.ok) return folder
  return await readFamily(needs, folder.value, {
    find: (child) => needs.playbooks.find(child, repositoryPath),
    list: () => needs.playbooks.list(repositoryPath),
    ...(directory === undefined ? {} : { directory }),
  })
}

/** What is stored of a playbook, so that editing its files changes nothing that runs. */
export function pinnedOf({ hash, playbook, files }: PinnableFolder): PinnedPlaybook {
  return { hash, name: playbook.name, playbook, files }
}
