import { closestWord } from '../../domain/closest-word.ts'
import { namedPlaybooks } from '../../domain/discovery/playbook-choice.ts'
import { castFor } from '../../domain/job/cast-for.ts'
import type { Job, JobPlan } from '../../domain/job/job.ts'
import { landsUnreviewed } from '../../domain/playbook/lands-unreviewed.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { castFamily } from '../../domain/run/cast-family.ts'
import type { PinnedPlaybook } from '../../ports/store/pinned-playbook-records.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { pinnedOf, readAll } from '../jobs/read-playbook.ts'
import type { PlaybookOffer } from '../prompts/playbooks-section.ts'
import type { PlaybookFamily } from '../read-family.ts'

/** A playbook with all that its stages can follow, to be pinned. */
export type PinnedFamily = PinnedPlaybook & { readonly children: readonly PinnedPlaybook[] }

type Needs = Pick<EngineNeeds, 'playbooks' | 'store'>

/** The playbooks that this job's planner may name for its tasks. */
export async function listOffers({ playbooks }: Needs, job: Job): Promise<readonly PlaybookOffer[]> {
  const found = await playbooks.list(job.repositoryPath)
  const offers = await Promise.all(
    found.map(async ({ name, directory, place }): Promise<readonly PlaybookOffer[]> => {
      const family = await readAll({ playbooks }, await playbooks.read(directory), job.repositoryPath)
      if (!family.ok || whyUnusable(job.plan, pinnedFamily(family.value)) !== undefined) return []
      const { description, inputs } = family.value.folder.playbook
      return [{ name, description, inputs, isShipped: place === 'shipped' }]
    }),
  )
  return offers.flat()
}

/** The playbooks that tasks of an answer name, by name. */
export async function readOffers(
  needs: Needs,
  job: Job,
  answer: unknown,
): Promise<ReadonlyMap<string, Result<PinnedFamily, string>>> {
  const names = namedPlaybooks(answer)
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readOffer(needs, job, name)] as const)),
  )
}

async function readOffer(needs: Needs, job: Job, name: string): Promise<Result<PinnedFamily, string>> {
  const pinned = (await findPinned(needs, job, name)) ?? (await readFolder(needs, job, name))
  if ('ok' in pinned) return pinned
  const problem = whyUnusable(job.plan, pinned)
  return problem === undefined ? success(pinned) : failure(problem)
}

/** The first task that names a playbook decides what it is for the rest of the job. */
async function findPinned({ store }: Needs, job: Job, name: string): Promise<PinnedFamily | undefined> {
  const tasks = await store.read.tasks.listOfJob(job.id)
  const used = [job.plan.taskPlaybook, ...tasks.map(({ playbook }) => playbook)]
  const known = used.find((playbook) => playbook?.name === name)
  if (known === undefined) return undefined
  const hashes = [known.hash, ...Object.values(known.children ?? {})]
  const [pinned, ...children] = (
    await Promise.all(hashes.map((hash) => store.read.pinnedPlaybooks.find(hash)))
  ).flatMap((one) => one ?? [])
  return pinned === undefined ? undefined : { ...pinned, children }
}

function pinnedFamily({ folder, children }: PlaybookFamily): PinnedFamily {
  return { ...pinnedOf(folder), children: children.map(pinnedOf) }
}

async function readFolder(
  { playbooks }: Needs,
  { repositoryPath }: Job,
  name: string,
): Promise<PinnedFamily | Result<never, string>> {
  const known = await playbooks.list(repositoryPath)
  const found = known.find((playbook) => playbook.name === name)
  if (found === undefined) {
    const meant = closestWord(
      name,
      known.map((playbook) => playbook.name),
    )
    return failure(`which does not exist${meant === undefined ? '' : `; did you mean "${meant}"?`}`)
  }
  const family = await readAll({ playbooks }, await playbooks.read(found.directory), repositoryPath)
  if (family.ok) return pinnedFamily(family.value)
  return failure(`which has faults: ${family.failure[0]?.problem ?? 'it cannot be read'}`)
}

/** Why a job's tasks can't follow a playbook, as the end of a sentence that begins with its name. */
function whyUnusable(plan: JobPlan, family: PinnedFamily): string | undefined {
  const cast = castFamily(family, castFor(plan))
  if (!cast.ok) {
    const roles = cast.failure.faults.map(({ role }) => `"${role}"`).join(', ')
    return `but none of the agents here can take its roles ${roles}`
  }
  const isUnreviewed = plan.reviewer !== undefined && landsUnreviewed(family.playbook)
  return isUnreviewed ? 'which lands work without a review, but this job reviews everything' : undefined
}
