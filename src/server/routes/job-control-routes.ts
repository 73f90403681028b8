import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  beginJobRoute,
  cancelJobRoute,
  pauseJobRoute,
  resumeJobRoute,
} from '../../contract/routes/job-routes.ts'
import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Result } from '../../domain/result.ts'
import type { JobControlFailure } from '../../engine/jobs/job-commands.ts'
import { parseJobId } from '../find-record.ts'
import { refuse } from '../refuse.ts'
import { showJob } from '../render/show-job.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'

type Act = (jobId: JobId) => Promise<Result<Job, JobControlFailure>>

export function addJobControlRoutes(
  needs: Pick<ServerNeeds, 'store' | 'jobs' | 'clock'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  const { jobs } = needs

  app.openapi(beginJobRoute, async (context) => {
    const done = await control(context.req.valid('param').id, (jobId) => jobs.begin(jobId))
    if (!done.ok) return refuse(context, done.failure)
    return context.json(succeed(await showJob(needs, done.value)), 200)
  })

  app.openapi(pauseJobRoute, async (context) => {
    const done = await control(context.req.valid('param').id, (jobId) => jobs.pause(jobId))
    if (!done.ok) return refuse(context, done.failure)
    return context.json(succeed(await showJob(needs, done.value)), 200)
  })

  app.openapi(resumeJobRoute, async (context) => {
    const done = await control(context.req.valid('param').id, (jobId) => jobs.resume(jobId))
    if (!done.ok) return refuse(context, done.failure)
    return context.json(succeed(await showJob(needs, done.value)), 200)
  })

  app.openapi(cancelJobRoute, async (context) => {
    const reason = context.req.valid('json').reason ?? 'cancelled by a person'
    const done = await control(context.req.valid('param').id, (jobId) => jobs.cancel(jobId, reason))
    if (!done.ok) return refuse(context, done.failure)
    return context.json(succeed(await showJob(needs, done.value)), 200)
  })
}

async function control(text: string, act: Act): Promise<Result<Job, JobControlFailure>> {
  const jobId = parseJobId(text)
  return jobId.ok ? act(jobId.value) : jobId
}
