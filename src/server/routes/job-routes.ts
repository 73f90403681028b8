import type { OpenAPIHono } from '@hono/zod-openapi'
import type { StartFailure } from '../../contract/failure/api-failure.ts'
import {
  beginJobRoute,
  cancelJobRoute,
  decideBaseRoute,
  getBaseRoute,
  getCycleRoute,
  getJobRoute,
  listCyclesRoute,
  listEventsRoute,
  listJobsRoute,
  pauseJobRoute,
  resumeJobRoute,
  startJobRoute,
} from '../../contract/routes/job-routes.ts'
import type { ParsedStartJobRequest } from '../../contract/start-job-request.ts'
import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { BaseDecisionFailure, StartJobRequest } from '../../engine/jobs/job-commands.ts'
import { parseJobId } from '../../engine/queries/find-record.ts'
import type { JobView } from '../../engine/queries/job.ts'
import { answer, succeed } from '../answer.ts'
import { refuse } from '../refuse.ts'
import { baseToWire } from '../render/base-to-wire.ts'
import { eventPageToWire } from '../render/event-to-wire.ts'
import { cycleDetailToWire, cycleToWire, jobSummaryToWire, jobToWire } from '../render/job-to-wire.ts'
import { pageToWire } from '../render/page-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

type Needs = Pick<ServerNeeds, 'queries' | 'jobs'>
type App = OpenAPIHono<ServerEnvironment>

export function addJobRoutes(needs: Needs, app: App): void {
  addCommandRoutes(needs, app)
  addQueryRoutes(needs, app)
}

function addQueryRoutes({ queries }: Needs, app: App): void {
  app.openapi(listJobsRoute, async (context) => {
    const jobs = await queries.jobs(context.req.valid('query'))
    return context.json(succeed(pageToWire(jobSummaryToWire)(jobs)), 200)
  })

  app.openapi(getJobRoute, async (context) => {
    const job = await queries.job(context.req.valid('param').id)
    return answer(context, job, jobToWire)
  })

  app.openapi(getBaseRoute, async (context) => {
    return answer(context, await queries.base(context.req.valid('param').id), baseToWire)
  })

  app.openapi(listCyclesRoute, async (context) => {
    const { id: job } = context.req.valid('param')
    const cycles = await queries.cycles({ job, ...context.req.valid('query') })
    return answer(context, cycles, pageToWire(cycleToWire))
  })

  app.openapi(getCycleRoute, async (context) => {
    const { id: job, num: number } = context.req.valid('param')
    return answer(context, await queries.cycle({ job, number }), cycleDetailToWire)
  })

  app.openapi(listEventsRoute, async (context) => {
    const { id: job } = context.req.valid('param')
    const events = await queries.events({ job, ...context.req.valid('query') })
    return answer(context, events, eventPageToWire)
  })
}

function addCommandRoutes(needs: Needs, app: App): void {
  const { queries, jobs } = needs

  app.openapi(startJobRoute, async (context) => {
    const request = toStartRequest(context.req.valid('json'))
    if (!request.ok) return refuse(context, request.failure)
    const started = await jobs.start(request.value, context.req.valid('header')['idempotency-key'])
    if (!started.ok) return refuse(context, started.failure)
    return context.json(succeed(jobToWire(await queries.viewJob(started.value))), 201)
  })

  app.openapi(beginJobRoute, async (context) => {
    const started = await control(needs, context.req.valid('param').id, (jobId) => jobs.startPending(jobId))
    return answer(context, started, jobToWire)
  })

  app.openapi(pauseJobRoute, async (context) => {
    const paused = await control(needs, context.req.valid('param').id, (jobId) => jobs.pause(jobId))
    return answer(context, paused, jobToWire)
  })

  app.openapi(resumeJobRoute, async (context) => {
    const resumed = await control(needs, context.req.valid('param').id, (jobId) => jobs.resume(jobId))
    return answer(context, resumed, jobToWire)
  })

  app.openapi(cancelJobRoute, async (context) => {
    const { reason } = context.req.valid('json')
    const { id } = context.req.valid('param')
    return answer(context, await control(needs, id, (jobId) => jobs.cancel(jobId, reason)), jobToWire)
  })

  app.openapi(decideBaseRoute, async (context) => {
    const { decision } = context.req.valid('json')
    const { id } = context.req.valid('param')
    return answer(context, await control(needs, id, (jobId) => jobs.decideBase(jobId, decision)), jobToWire)
  })
}

type Act = (jobId: JobId) => Promise<Result<Job, BaseDecisionFailure>>

async function control(needs: Needs, id: string, act: Act): Promise<Result<JobView, BaseDecisionFailure>> {
  const jobId = parseJobId(id)
  const done = jobId.ok ? await act(jobId.value) : jobId
  return done.ok ? success(await needs.queries.viewJob(done.value)) : done
}

type Unsupported = Extract<StartFailure, { readonly type: 'repository-unsupported' }>

/** Converts the wire request for the use case; unsupported fields are refused by name, never ignored. */
function toStartRequest(wire: ParsedStartJobRequest): Result<StartJobRequest, Unsupported> {
  const { repositoryOwner, repositoryName, repositoryPath, provider, agent, ...rest } = wire
  if (repositoryPath === undefined || repositoryName !== undefined || repositoryOwner !== undefined) {
    const repository = [repositoryOwner, repositoryName].filter((part) => part !== undefined).join('/')
    return failure({ type: 'repository-unsupported', repository })
  }
  // A provider can stand for its agent: the agent generated for an installed program has its name.
  return success(withoutUndefined({ ...rest, repositoryPath, agent: agent ?? provider }))
}
