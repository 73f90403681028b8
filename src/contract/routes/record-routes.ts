import { pageSchema } from '../envelope.ts'
import { landingSchema } from '../landing.ts'
import { nameQuerySchema, namesSchema } from '../name.ts'
import { pageQuerySchema } from '../page-query.ts'
import { projectSchema } from '../project.ts'
import { taskDetailSchema, taskSchema } from '../task.ts'
import { idSchema } from '../text.ts'
import { answers, declareRoute, idParams, personAccess } from './declare-route.ts'

const jobFilterQuery = pageQuerySchema.extend({ job: idSchema.optional() })

export const listProjectsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/projects',
  summary: 'List projects',
  request: { query: pageQuerySchema },
  responses: answers('A page of projects', pageSchema(projectSchema)),
})

export const listTasksRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/tasks',
  summary: 'List the tasks of a job in order of discovery, or the newest tasks of all jobs',
  request: { query: jobFilterQuery },
  responses: answers('A page of tasks', pageSchema(taskSchema)),
})

export const getTaskRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/tasks/{id}',
  summary: 'Get a task with its attempts and landings',
  request: { params: idParams },
  responses: answers('The task', taskDetailSchema),
})

export const listLandingsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/landings',
  summary: "List the entries of a job's merge queue, oldest first",
  request: { query: pageQuerySchema.extend({ job: idSchema }) },
  responses: answers('A page of landings', pageSchema(landingSchema)),
})

export const findNamesRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/names',
  summary:
    'Find records by the short form or the start of an id, or by part of a title; also return how many characters short ids have',
  request: { query: nameQuerySchema },
  responses: answers('The records that the text names', namesSchema),
})
