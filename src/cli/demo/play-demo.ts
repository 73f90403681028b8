import { randomUUID } from 'node:crypto'
import type { WireLanding } from '../../client/index.ts'
import { failure, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { connectDaemon } from '../connect-daemon.ts'
import { EXIT } from '../exit-code.ts'
import { showJob } from '../follow/follow-job.ts'
import { type JobOutcome, readAll, readJobOutcome } from '../follow/job-outcome.ts'
import type { Outcome } from '../problem.ts'
import { jobOutcomeLines } from '../render/job/job-summary.ts'
import { elapsed } from '../render/text/elapsed.ts'
import { safeText } from '../render/text/safe-text.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'
import { GOAL } from './demo-files.ts'
import { differences } from './demo-verdict.ts'
import { finalCheck } from './final-check.ts'
import { keepCommand } from './kept-lines.ts'
import { git, type Playground } from './playground.ts'

const PAGE = 200

/** Starts a daemon in the playground, runs the demo's job there and tells how it went. */
export async function playDemo(
  needs: CommandNeeds,
  playground: Playground,
  stop: AbortSignal,
  keep: boolean,
): Promise<Outcome> {
  const startedAt = needs.surroundings.now().getTime()
  introduce(needs)
  const connected = await connectDaemon(needs)
  if (!connected.ok) return connected
  if (stop.aborted) return success(EXIT.interrupted)
  const link = connected.value
  const started = await link.client.startJob(
    { repositoryPath: playground.repository, requestDocument: GOAL, maxParallelTasks: 3 },
    { idempotencyKey: randomUUID(), signal: stop },
  )
  if (!started.ok) return stop.aborted ? success(EXIT.interrupted) : failure(apiProblem(started.failure))
  const end = await showJob(needs, link, started.value.id, stop)
  if (!end.ok) return end
  if (end.value !== 'over') return success(EXIT.interrupted)
  return tellEnd(needs, playground, { jobId: started.value.id, startedAt, keep })
}

function introduce({ output }: CommandNeeds): void {
  if (output.quiet) return
  const head = 'A small library with three missing behaviours, three agents, one planner.'
  output.print(output.paint('strong', head))
  output.print(
    'The agents are scripted; the daemon, the database, git, the checks and the merge queue are real.',
  )
  output.print('')
}

type Played = { readonly jobId: string; readonly startedAt: number; readonly keep: boolean }
type Story = JobOutcome & {
  readonly landings: readonly WireLanding[]
  readonly seconds: number
  readonly url: string
}

/** Connects anew: the daemon may have been killed when the last event had been seen. */
async function tellEnd(needs: CommandNeeds, playground: Playground, played: Played): Promise<Outcome> {
  const { jobId, startedAt, keep } = played
  return withDaemon(needs, (client) =>
    withAnswer(readJobOutcome(client, jobId), (outcome) =>
      withAnswer(
        readAll((cursor) => client.listLandings({ job: jobId, limit: PAGE, cursor })),
        (landings) => {
          const seconds = (needs.surroundings.now().getTime() - startedAt) / 1000
          return tellStory(needs, playground, { ...outcome, landings, seconds, url: client.url }, keep)
        },
      ),
    ),
  )
}

async function tellStory(
  needs: CommandNeeds,
  playground: Playground,
  story: Story,
  keep: boolean,
): Promise<Outcome> {
  const { output, surroundings } = needs
  const { paint } = output
  const branch = story.job.workingBranch
  const tests = await finalCheck(playground, surroundings.nodePath, branch)
  const untrue = tests.passed ? [] : [`the tests should pass on ${branch}: ${tests.summary}`]
  const amiss = [...differences(story, story.landings), ...untrue]
  const graph = await git(playground.repository, ['log', '--graph', '--oneline', '--no-decorate', branch])
  output.value({ success: amiss.length === 0, data: { ...story, tests, differences: amiss } })
  const again = keep ? '' : `; to look around in it afterwards: ${keepCommand(surroundings)}`
  const lines = [
    '',
    ...jobOutcomeLines(story.job, story.tasks, paint),
    '',
    `what landed on branch ${branch}:`,
    ...safeText(graph).trimEnd().split('\n'),
    '',
    `${paint(tests.passed ? 'good' : 'bad', 'node --test')} on that branch: ${tests.summary}`,
    ...amiss.map((line) => `${paint('bad', 'not as told:')} ${line}`),
    `took ${elapsed(story.seconds * 1000)}; the API ${keep ? 'is' : 'was'} at ${story.url}${again}`,
  ]
  for (const line of lines) output.print(line)
  return success(amiss.length === 0 ? EXIT.done : EXIT.failed)
}
