import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  compareRunsRoute,
  forkRunRoute,
  getRunPlaybookRoute,
  getRunResultRoute,
  getRunRoute,
  killRunRoute,
  listArtifactsRoute,
  listDecisionsRoute,
  listFindingsRoute,
  listRunsRoute,
  resumeRunRoute,
  stopRunRoute,
} from '../../contract/routes/run-routes.ts'
import type { WireRunResult } from '../../contract/run-summary.ts'
import { success } from '../../domain/result.ts'
import type { StopRunOptions } from '../../engine/jobs/job-commands.ts'
import { parseRunId } from '../../engine/queries/find-record.ts'
import type { RunResult } from '../../engine/queries/run-result.ts'
import { answer, succeed } from '../answer.ts'
import { refuse } from '../refuse.ts'
import { jobToWire } from '../render/job-to-wire.ts'
import { runMarkdown } from '../render/markdown/run-markdown.ts'
import { pageToWire } from '../render/page-to-wire.ts'
import { runComparisonToWire } from '../render/run-comparison-to-wire.ts'
import { artifactToWire, decisionToWire, findingToWire } from '../render/run-result-to-wire.ts'
import { runSummaryToWire } from '../render/run-summary-to-wire.ts'
import { runToWire, stoppedRunToWire } from '../render/run-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

type Needs = Pick<ServerNeeds, 'queries' | 'jobs'>
type App = OpenAPIHono<ServerEnvironment>

export function addRunRoutes({ queries, jobs }: Needs, app: App): void {
  app.openapi(listRunsRoute, async (context) => {
    const runs = await queries.runs(context.req.valid('query'))
    return answer(context, runs, pageToWire(runToWire))
  })

  app.openapi(getRunRoute, async (context) =>
    answer(context, await queries.run(context.req.valid('param').id), runToWire),
  )

  app.openapi(forkRunRoute, async (context) => {
    const runId = parseRunId(context.req.valid('param').id)
    if (!runId.ok) return refuse(context, runId.failure)
    const key = context.req.valid('header')['idempotency-key']
    const forked = await jobs.forkRun(runId.value, context.req.valid('json'), key)
    if (!forked.ok) return refuse(context, forked.failure)
    return context.json(succeed(jobToWire(await queries.viewJob(forked.value))), 201)
  })

  app.openapi(resumeRunRoute, async (context) => {
    const runId = parseRunId(context.req.valid('param').id)
    if (!runId.ok) return refuse(context, runId.failure)
    const resumed = await jobs.resumeRun(runId.value, context.req.valid('header')['idempotency-key'])
    if (!resumed.ok) return refuse(context, resumed.failure)
    return context.json(succeed(jobToWire(await queries.viewJob(resumed.value))), 200)
  })

  app.openapi(stopRunRoute, async (context) => {
    const { reason } = context.req.valid('json')
    return answer(
      context,
      await stop(context.req.valid('param').id, { reason, isForced: false }),
      stoppedRunToWire,
    )
  })

  app.openapi(killRunRoute, async (context) => {
    const { reason } = context.req.valid('json')
    return answer(
      context,
      await stop(context.req.valid('param').id, { reason, isForced: true }),
      stoppedRunToWire,
    )
  })

  async function stop(id: string, options: StopRunOptions) {
    const runId = parseRunId(id)
    if (!runId.ok) return runId
    const stopped = await jobs.stopRun(runId.value, options)
    if (!stopped.ok) return stopped
    const { run, ended, programs } = stopped.value
    return success({ view: await queries.viewRun(run), ended, programs })
  }
}

/** The typed results of a run. */
export function addRunResultRoutes({ queries }: Needs, app: App): void {
  app.openapi(getRunPlaybookRoute, async (context) =>
    answer(context, await queries.runPlaybook(context.req.valid('param').id), (playbook) => playbook),
  )

  app.openapi(getRunResultRoute, async (context) => {
    const isDocument = context.req.valid('query').format === 'markdown'
    const result = await queries.runResult(context.req.valid('param').id)
    return answer(context, result, isDocument ? withMarkdown : runSummaryToWire)
  })

  app.openapi(compareRunsRoute, async (context) => {
    const { with: b, patch } = context.req.valid('query')
    const { id: a } = context.req.valid('param')
    return answer(
      context,
      await queries.compareRuns({ a, b, withPatch: patch === 'true' }),
      runComparisonToWire,
    )
  })

  app.openapi(listFindingsRoute, async (context) => {
    const input = { run: context.req.valid('param').id, ...context.req.valid('query') }
    return answer(context, await queries.findings(input), pageToWire(findingToWire))
  })

  app.openapi(listArtifactsRoute, async (context) => {
    const input = { run: context.req.valid('param').id, ...context.req.valid('query') }
    return answer(context, await queries.artifacts(input), pageToWire(artifactToWire))
  })

  app.openapi(listDecisionsRoute, async (context) => {
    const input = { run: context.req.valid('param').id, ...context.req.valid('query') }
    return answer(context, await queries.decisions(input), pageToWire(decisionToWire))
  })
}

function withMarkdown(found: RunResult): WireRunResult {
  const result = runSummaryToWire(found)
  return { ...result, markdown: runMarkdown(result) }
}
