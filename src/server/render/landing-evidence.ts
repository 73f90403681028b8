import type { WireApproval } from '../../contract/approval.ts'
import type { CandidateId, LandingId } from '../../domain/id.ts'
import type { Store } from '../../ports/store/store.ts'

type Needs = { readonly store: Pick<Store, 'read'> }
type Evidence = NonNullable<WireApproval['evidence']>

/** What a person who is asked about a commit should know of it beside its diff: its checks and its reviews. */
export async function landingEvidence(needs: Needs, id: CandidateId): Promise<Evidence | undefined> {
  const candidate = await needs.store.read.candidates.find(id)
  if (candidate === undefined) return undefined
  const reviews = await Promise.all(candidate.landingIds.map((landingId) => reviewOf(needs, landingId)))
  return {
    checks: candidate.checks.map((check) => ({ ...check })),
    reviews: reviews.filter((review) => review !== undefined),
  }
}

/** The last verdict on the task of a landing. */
async function reviewOf(
  { store }: Needs,
  landingId: LandingId,
): Promise<Evidence['reviews'][number] | undefined> {
  const landing = await store.read.landings.find(landingId)
  const task = landing === undefined ? undefined : await store.read.tasks.find(landing.taskId)
  if (task === undefined) return undefined
  const attempts = await store.read.attempts.listOfTask(task.id)
  const verdicts = attempts.flatMap(({ state, agent }) =>
    state.type === 'settled' && state.outcome.type === 'accepted' && state.outcome.verdict !== undefined
      ? [{ agent: agent.name, verdict: state.outcome.verdict }]
      : [],
  )
  const last = verdicts.at(-1)
  if (last === undefined) return undefined
  const { type, summary } = last.verdict
  return {
    taskId: task.id,
    task: `${task.cycleNumber}.${task.number}`,
    agent: last.agent,
    verdict: type,
    summary,
  }
}
