import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { WireLanding } from '../../client/index.ts'
import { readAll } from '../../client/read-all.ts'
import { failure, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { connectDaemon } from '../connect-daemon.ts'
import { EXIT } from '../exit-code.ts'
import { showJob } from '../follow/follow-job.ts'
import { type JobOutcome, readJobOutcome } from '../follow/job-outcome.ts'
import type { Outcome } from '../problem.ts'
import { jobOutcomeLines } from '../render/job/job-summary.ts'
import { elapsed } from '../render/text/elapsed.ts'
import { safeText } from '../render/text/safe-text.ts'
import { trustOwnFile } from '../trust/with-trust.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'
import { GOAL } from './demo-files.ts'
import { differences } from './demo-verdict.ts'
import { keepCommand } from './kept-lines.ts'
import { git, type Playground } from './playground.ts'

const TEST_TIMEOUT_MS = 60_000

/** Starts a daemon in the playground, runs the demo's job there and prints how it went. */
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
  const refused = await trustOwnFile(link.client, playground.repository)
  if (refused !== undefined) return failure(apiProblem(refused))
  const started = await link.client.startJob(
    { repositoryPath: playground.repository, requestDocument: GOAL, maxParallelTasks: 3 },
    { idempotencyKey: randomUUID(), signal: stop },
  )
  if (!started.ok) return stop.aborted ? success(EXIT.interrupted) : failure(apiProblem(started.failure))
  const end = await showJob(needs, link, started.value.id, stop)
  if (!end.ok) return end
  if (end.value !== 'ended') return success(EXIT.interrupted)
  return printEnd(needs, playground, { jobId: started.value.id, startedAt, keep })
}

function introduce({ output }: CommandNeeds): void {
  if (output.quiet) return
  const head = 'A small library with three missing behaviours, three agents and a planner.'
  output.printProse(output.paint('strong', head))
  output.printProse(
    'The agents are scripted; the daemon, the database, git, the checks and the merge queue are real.',
  )
  output.printProse('')
}

type Played = { readonly jobId: string; readonly startedAt: number; readonly keep: boolean }
type Story = JobOutcome & {
  readonly landings: readonly WireLanding[]
  readonly seconds: number
  readonly url: string
}

/** Connects again, because the daemon may have been killed after the last event. */
async function printEnd(needs: CommandNeeds, playground: Playground, played: Played): Promise<Outcome> {
  const { jobId, startedAt, keep } = played
  return withDaemon(needs, (client) =>
    withAnswer(readJobOutcome(client, jobId), (outcome) =>
      withAnswer(
        readAll((page) => client.listLandings({ job: jobId, ...page })),
        (landings) => {
          const seconds = (needs.surroundings.now().getTime() - startedAt) / 1000
          return printStory(needs, playground, { ...outcome, landings, seconds, url: client.url }, keep)
        },
      ),
    ),
  )
}

async function printStory(
  needs: CommandNeeds,
  playground: Playground,
  story: Story,
  keep: boolean,
): Promise<Outcome> {
  const { output, surroundings } = needs
  const { paint } = output
  const branch = story.job.workingBranch
  const tests = await finalCheck(playground, surroundings.nodePath, branch)
  const failed = tests.passed ? [] : [`the tests should pass on ${branch}: ${tests.summary}`]
  const unexpected = [...differences(story, story.landings), ...failed]
  const graph = await git(playground.repository, ['log', '--graph', '--oneline', '--no-decorate', branch])
  output.value({ success: unexpected.length === 0, data: { ...story, tests, differences: unexpected } })
  const again = keep ? [] : [`To keep the demo and explore it: ${keepCommand(surroundings)}`]
  const lines = [
    '',
    ...jobOutcomeLines(story.job, story.tasks, paint),
    '',
    `what landed on branch ${branch}:`,
    ...safeText(graph).trimEnd().split('\n'),
    '',
    `${paint(tests.passed ? 'good' : 'bad', 'node --test')} on that branch: ${tests.summary}`,
    ...unexpected.map((line) => `${paint('bad', 'unexpected:')} ${line}`),
    `took ${elapsed(story.seconds * 1000)}; the API ${keep ? 'is' : 'was'} at ${story.url}`,
    ...again,
  ]
  for (const line of lines) output.printProse(line)
  return success(unexpected.length === 0 ? EXIT.done : EXIT.failed)
}

/** Runs the demo's tests again on the working branch, in a fresh clone. */
async function finalCheck(
  playground: Playground,
  nodePath: string,
  branch: string,
): Promise<{ readonly passed: boolean; readonly summary: string }> {
  const clone = join(playground.directory, 'result')
  await git(playground.directory, ['clone', '--quiet', '--branch', branch, playground.repository, clone])
  return new Promise((resolve) => {
    // With this variable, node's test runner would print nothing, as a child of another runner.
    const { NODE_TEST_CONTEXT: _outer, ...environment } = process.env
    const options = { cwd: clone, timeout: TEST_TIMEOUT_MS, env: environment }
    execFile(nodePath, ['--test', '--test-reporter=tap'], options, (error, stdout) => {
      const counts: readonly string[] = stdout.match(/^# (?:pass|fail|todo) \d+$/gm) ?? []
      resolve({
        passed: error === null && counts.includes('# todo 0'),
        summary: counts.map((count) => count.slice(2)).join(', '),
      })
    })
  })
}
