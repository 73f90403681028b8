import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { diffSchema } from '../diff.ts'
import { mergeSchema } from '../merge.ts'
import { reportListSchema, reportQuerySchema } from '../report.ts'
import { answers, startedAnswers } from './answers.ts'
import { personAccess } from './route-access.ts'

const params = z.object({ id: z.string().max(64) })

export const listReportsRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/report',
  summary: 'What jobs did and what it rests on: of one job, of a project, or of all, newest first',
  request: { query: reportQuerySchema },
  responses: answers('Reports', reportListSchema),
})

export const getTaskDiffRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/tasks/{id}/diff',
  summary: 'What a task changed, or would',
  request: { params },
  responses: answers('The change', diffSchema),
})

export const getApprovalDiffRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/approvals/{id}/diff',
  summary: 'What would land if the approval were given',
  request: { params },
  responses: answers('The change', diffSchema),
})

export const getJobDiffRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/diff',
  summary: 'All that a job has landed so far',
  request: { params },
  responses: answers('The change', diffSchema),
})

export const mergeJobRoute = createRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/merge',
  summary: 'Bring what a job landed into its base branch; 202 while checks run on the merged commit',
  request: { params },
  responses: startedAnswers('The merge', mergeSchema),
})

export const getMergeRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/merge',
  summary: 'Where that has got to',
  request: { params },
  responses: answers('The merge', mergeSchema),
})
