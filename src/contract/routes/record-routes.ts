import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { pageSchema } from '../envelope.ts'
import { landingSchema } from '../landing.ts'
import { pageQuerySchema } from '../page-query.ts'
import { projectSchema } from '../project.ts'
import { taskDetailSchema, taskSchema } from '../task.ts'
import { answers } from './answers.ts'
import { personAccess } from './route-access.ts'

const idParams = z.object({ id: z.string().max(64) })
const ofJobQuery = pageQuerySchema.extend({ job: z.string().max(64).optional() })

export const listProjectsRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/projects',
  summary: 'Projects',
  request: { query: pageQuerySchema },
  responses: answers('A page of projects', pageSchema(projectSchema)),
})

export const listTasksRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/tasks',
  summary: 'Tasks of a job in the order of discovery, or the newest of all jobs',
  request: { query: ofJobQuery },
  responses: answers('A page of tasks', pageSchema(taskSchema)),
})

export const getTaskRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/tasks/{id}',
  summary: 'One task with its attempts and landings',
  request: { params: idParams },
  responses: answers('The task', taskDetailSchema),
})

export const listLandingsRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/landings',
  summary: 'Entries of the merge queue of a job, oldest first',
  request: { query: pageQuerySchema.extend({ job: z.string().max(64) }) },
  responses: answers('A page of landings', pageSchema(landingSchema)),
})
