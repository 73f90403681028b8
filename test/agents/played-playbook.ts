import type { MusterClient, WireJob, WireMessage, WireRun } from '../../src/client/index.ts'
import { startJob } from '../support/run-job.ts'
import { take } from '../support/take.ts'
import { waitForJob } from '../support/test-daemon.ts'
import type { TestRepository } from '../support/test-repository.ts'

const PATIENCE_MS = 290_000

/** A run that has ended, with its job. */
export type PlayedPlaybook = {
  readonly job: WireJob
  readonly run: WireRun
  /** Each visit with its outcome and, if an agent made it, the agent: `review: APPROVED (codex)`. */
  readonly visits: readonly string[]
  /** The thread of the run: `reviewer -> role:developer: review, code_review: NEEDS_REVISION`. */
  readonly thread: readonly string[]
  /** Every session of the job. */
  readonly sessionIds: readonly string[]
}

/** Starts a playbook and follows its run to the end. */
export async function playPlaybook(
  client: MusterClient,
  repository: TestRepository,
  playbook: { readonly name: string; readonly inputs: Readonly<Record<string, number>> },
): Promise<PlayedPlaybook> {
  const jobId = await startJob(client, repository, { requestDocument: 'Greet the reader.', playbook })
  const job = await waitForJob(client, jobId, PATIENCE_MS)
  const [run] = take(await client.listRuns({ job: jobId })).items
  if (run?.status !== 'ended') throw new Error(`no run has ended: ${JSON.stringify({ job, run })}`)
  const sessions = take(await client.listSessions({ job: jobId, limit: 100 })).items
  const agents = new Map(
    sessions.flatMap(({ purpose, agent }) =>
      purpose.type === 'attempt' ? [[purpose.attemptId, agent] as const] : [],
    ),
  )
  return {
    job,
    run,
    visits: run.visits.map(
      ({ stage, outcome, attemptId }) =>
        `${stage}: ${outcome}${attemptId === undefined ? '' : ` (${agents.get(attemptId)})`}`,
    ),
    thread: take(await client.listMessages({ run: run.id }))
      .items.toReversed()
      .map((message) => describeMessage(message)),
    sessionIds: sessions.map(({ id }) => id),
  }
}

function describeMessage({ from, fromRole, to, type, subject }: WireMessage): string {
  return `${fromRole ?? from} -> ${to}: ${type}, ${subject}`
}
