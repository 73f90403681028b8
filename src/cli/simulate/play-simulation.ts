import type { MusterClient, WireEvent, WireRun, WireValidPlaybook } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { connectDaemon } from '../connect-daemon.ts'
import { startRefusal } from '../daemon/start-refusal.ts'
import type { Playground } from '../demo/playground.ts'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'
import { trustOwnFile } from '../trust/with-trust.ts'
import { outcomeInRound } from './read-outcomes.ts'
import { hastened } from './simulated-files.ts'
import type { SimulationPlan } from './simulated-script.ts'

export type Simulated = SimulationPlan & {
  readonly view: WireValidPlaybook
  readonly inputs: Readonly<Record<string, string>>
}

/** Runs the playbook in the playground, with the real engine. Returns the run once it has ended. */
export async function playSimulation(
  needs: CommandNeeds,
  playground: Playground,
  simulated: Simulated,
  signal: AbortSignal,
  onEvent: (event: WireEvent) => void,
): Promise<Result<WireRun | undefined, Problem>> {
  const connected = await connectDaemon(needs)
  if (!connected.ok) return connected
  const { client } = connected.value
  const refused = await trustOwnFile(client, playground.repository)
  if (refused !== undefined) return failure(apiProblem(refused))
  const { files, outcomes, inputs } = simulated
  const started = await client.startJob(
    {
      repositoryPath: playground.repository,
      requestDocument: 'A simulated goal',
      playbook: {
        files: hastened(files, outcomes),
        inputs: { ...inputs },
      },
    },
    { signal },
  )
  if (!started.ok) {
    return signal.aborted ? success(undefined) : failure(await startRefusal(needs, client, started.failure))
  }
  return await follow(client, started.value.id, simulated, { signal, onEvent })
}

type Following = { readonly signal: AbortSignal; readonly onEvent: (event: WireEvent) => void }

async function follow(
  client: MusterClient,
  jobId: string,
  simulated: Simulated,
  { signal, onEvent }: Following,
): Promise<Result<WireRun | undefined, Problem>> {
  let runId: string | undefined
  for await (const event of client.follow(jobId, { signal })) {
    if (event.type === 'run_started') runId ??= event.data.runId
    onEvent(event)
    if (event.type === 'approval_requested') await decide(client, jobId, simulated)
    // What lands afterwards, and how, isn't the playbook's business.
    const hasEnded = event.type === 'run_ended' || event.type === 'run_cancelled'
    if (hasEnded && event.data.runId === runId) break
  }
  if (signal.aborted) return success(undefined)
  const runs = await client.listRuns({ job: jobId })
  if (!runs.ok) return failure(apiProblem(runs.failure))
  const run = runs.value.items.find(({ id }) => id === runId)
  return run === undefined ? failure(notRun()) : success(run)
}

/** Answers every gate as planned. One that is to expire gets no answer. */
async function decide(client: MusterClient, jobId: string, { outcomes }: Simulated): Promise<void> {
  const [pending, runs] = await Promise.all([
    client.listApprovals({ job: jobId, status: 'pending' }),
    client.listRuns({ job: jobId }),
  ])
  if (!pending.ok || !runs.ok) return
  const visits = runs.value.items.flatMap((run) => run.visits)
  for (const { id, digest, action } of pending.value.items) {
    if (action.type !== 'gate') continue
    const round = visits.findLast(({ stage }) => stage === action.stage)?.round ?? 1
    const outcome = outcomeInRound(outcomes, action.stage, round)
    if (outcome === 'allowed') await client.allowApproval(id, { digest })
    if (outcome === 'denied') await client.denyApproval(id, { digest, reason: 'simulated' })
  }
}

function notRun(): Problem {
  return {
    type: 'simulation-failed',
    exitCode: EXIT.failed,
    message: 'the simulation ended before its run began',
    next: 'muster doctor',
  }
}
