import { z } from 'zod'
import { pageSchema } from '../envelope.ts'
import { landingSchema } from '../landing.ts'
import { pageQuerySchema } from '../page-query.ts'
import { projectSchema } from '../project.ts'
import { taskDetailSchema, taskSchema } from '../task.ts'
import { answers } from './answers.ts'
import { declareRoute, idParams, personAccess } from './declare-route.ts'

const ofJobQuery = pageQuerySchema.extend({ job: z.string().max(64).optional() })

export const listProjectsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/projects',
  summary: 'Projects',
  request: { query: pageQuerySchema },
  responses: answers('A page of projects', pageSchema(projectSchema)),
})

export const listTasksRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/tasks',
  summary: 'Tasks of a job in the order of discovery, or the newest of all jobs',
  request: { query: ofJobQuery },
  responses: answers('A page of tasks', pageSchema(taskSchema)),
})

export const getTaskRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/tasks/{id}',
  summary: 'One task with its attempts and landings',
  request: { params: idParams },
  responses: answers('The task', taskDetailSchema),
})

export const listLandingsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/landings',
  summary: 'Entries of the merge queue of a job, oldest first',
  request: { query: pageQuerySchema.extend({ job: z.string().max(64) }) },
  responses: answers('A page of landings', pageSchema(landingSchema)),
})
