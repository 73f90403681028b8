import { randomUUID } from 'node:crypto'
import { delimiter, dirname } from 'node:path'
import type { MusterClient, WireLanding } from '../../client/index.ts'
import { failure, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { ensureDaemon } from '../daemon/ensure-daemon.ts'
import { EXIT } from '../exit-code.ts'
import { showJob } from '../follow/follow-job.ts'
import { type JobOutcome, readAll, readJobOutcome } from '../follow/job-outcome.ts'
import type { Outcome } from '../problem.ts'
import { elapsed } from '../render/elapsed.ts'
import { jobSummaryLines } from '../render/job-summary.ts'
import { safeText } from '../render/safe-text.ts'
import type { Surroundings } from '../surroundings.ts'
import { withAnswer } from '../with-daemon.ts'
import { GOAL } from './demo-files.ts'
import { differences } from './demo-verdict.ts'
import { finalCheck } from './final-check.ts'
import { git, type Playground } from './playground.ts'

const PAGE = 200

/** Starts a daemon in the playground, runs the demo's job there and tells how it went. */
export async function playDemo(
  outer: CommandNeeds,
  playground: Playground,
  stop: AbortSignal,
): Promise<Outcome> {
  const startedAt = outer.surroundings.now().getTime()
  const needs = insidePlayground(outer, playground)
  const { output, surroundings } = needs
  output.print(
    output.paint('strong', 'A small library with three missing behaviours, three agents, one planner.'),
  )
  output.print(
    'The agents are scripted; the daemon, the database, git, the checks and the merge queue are real.',
  )
  output.print('')
  const ensured = await ensureDaemon({ ...surroundings, note: output.note }, playground.home)
  if (!ensured.ok) return ensured
  if (stop.aborted) return success(EXIT.interrupted)
  const { client } = ensured.value
  const started = await client.startJob(
    { repositoryPath: playground.repository, requestDocument: GOAL, maxParallelTasks: 3 },
    { idempotencyKey: randomUUID(), signal: stop },
  )
  if (!started.ok) return stop.aborted ? success(EXIT.interrupted) : failure(apiProblem(started.failure))
  const end = await showJob(needs, client, started.value.id, stop)
  if (!end.ok) return end
  if (end.value !== 'over') return success(EXIT.interrupted)
  return tellEnd(needs, playground, client, started.value.id, startedAt)
}

/** The playground's home, a path on which this very Node is found, and nothing of the person's own set-up. */
function insidePlayground(needs: CommandNeeds, playground: Playground): CommandNeeds {
  const { surroundings } = needs
  const { server: _server, tokenFile: _tokenFile, ...options } = needs.options
  return {
    ...needs,
    options: { ...options, home: playground.home },
    home: playground.home,
    surroundings: { ...surroundings, environment: demoEnvironment(surroundings) },
  }
}

function demoEnvironment(needs: Pick<Surroundings, 'environment' | 'nodePath'>): Surroundings['environment'] {
  const kept = Object.entries(needs.environment).filter(
    ([name]) => name !== 'DATABASE_URL' && !name.startsWith('MUSTER_'),
  )
  const path = [dirname(needs.nodePath), needs.environment['PATH'] ?? ''].join(delimiter)
  return { ...Object.fromEntries(kept), PATH: path }
}

type Story = JobOutcome & { readonly landings: readonly WireLanding[]; readonly seconds: number }

async function tellEnd(
  needs: CommandNeeds,
  playground: Playground,
  client: MusterClient,
  jobId: string,
  startedAt: number,
): Promise<Outcome> {
  const readLandings = () => readAll((cursor) => client.listLandings({ job: jobId, limit: PAGE, cursor }))
  return withAnswer(readJobOutcome(client, jobId), (outcome) =>
    withAnswer(readLandings(), (landings) => {
      const seconds = (needs.surroundings.now().getTime() - startedAt) / 1000
      return tellStory(needs, playground, client.url, { ...outcome, landings, seconds })
    }),
  )
}

async function tellStory(
  needs: CommandNeeds,
  playground: Playground,
  url: string,
  story: Story,
): Promise<Outcome> {
  const { output, surroundings } = needs
  const { paint } = output
  const branch = story.job.workingBranch
  const tests = await finalCheck(playground, surroundings.nodePath, branch)
  const untrue = tests.passed ? [] : [`the tests should pass on ${branch}: ${tests.summary}`]
  const amiss = [...differences(story, story.landings), ...untrue]
  const graph = await git(playground.repository, ['log', '--graph', '--oneline', '--no-decorate', branch])
  output.value({ success: amiss.length === 0, data: { ...story, tests, differences: amiss } })
  const lines = [
    ...jobSummaryLines(story.job, story.tasks, paint),
    '',
    `git log --graph --oneline ${branch}`,
    ...safeText(graph).trimEnd().split('\n'),
    '',
    `${paint(tests.passed ? 'good' : 'bad', 'node --test')} on that branch: ${tests.summary}`,
    ...amiss.map((line) => `${paint('bad', 'not as told:')} ${line}`),
    `took ${elapsed(story.seconds * 1000)}; the API was at ${url}; --keep leaves it all for you to look at`,
  ]
  for (const line of lines) output.print(line)
  return success(amiss.length === 0 ? EXIT.done : EXIT.failed)
}
