import { type Result, success } from '../../domain/result.ts'
import {
  type Artifact,
  artifactsOf,
  type Decision,
  decisionsOf,
  type Finding,
  findingsOf,
} from '../../domain/run/typed-results.ts'
import { loadRun } from '../loaded-runs/load-run.ts'
import { findRecord, type NotFound, type Reads } from './find-record.ts'
import { type Page, type PageInput, pageOf } from './page.ts'

export type RunResultsInput = PageInput & { readonly run: string }
type Found<Item> = Promise<Result<Page<Item>, NotFound>>
type Loaded = NonNullable<Awaited<ReturnType<typeof loadRun>>>

export async function listFindings(needs: Reads, input: RunResultsInput): Found<Finding> {
  return await list(needs, input, ({ pinned, visits }) => findingsOf(pinned.playbook, visits))
}

export async function listArtifacts(needs: Reads, input: RunResultsInput): Found<Artifact> {
  return await list(needs, input, ({ pinned, visits }) => artifactsOf(pinned.playbook, visits))
}

export async function listDecisions(needs: Reads, input: RunResultsInput): Found<Decision> {
  return await list(needs, input, ({ pinned, visits }) => decisionsOf(pinned.playbook, visits))
}

/** The results are in the answers of visits, so there is no second copy of them to keep. */
async function list<Item extends { readonly id: string }>(
  { store }: Reads,
  { run, ...page }: RunResultsInput,
  results: (loaded: Loaded) => readonly Item[],
): Found<Item> {
  const loaded = await findRecord('run', run, (id) => loadRun(store.read, id))
  return loaded.ok ? success(pageOf(results(loaded.value), page)) : loaded
}
