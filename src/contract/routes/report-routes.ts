import { diffSchema } from '../diff.ts'
import { mergeSchema } from '../merge.ts'
import { reportListSchema, reportQuerySchema } from '../report.ts'
import { answers, startedAnswers } from './answers.ts'
import { declareRoute, idParams, personAccess } from './declare-route.ts'

export const listReportsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/report',
  summary: 'What jobs did and what it rests on: of one job, of a project, or of all, newest first',
  request: { query: reportQuerySchema },
  responses: answers('Reports', reportListSchema),
})

export const getTaskDiffRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/tasks/{id}/diff',
  summary: 'What a task changed, or would',
  request: { params: idParams },
  responses: answers('The change', diffSchema),
})

export const getApprovalDiffRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/approvals/{id}/diff',
  summary: 'What would land if the approval were given',
  request: { params: idParams },
  responses: answers('The change', diffSchema),
})

export const getJobDiffRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/diff',
  summary: 'All that a job has landed so far',
  request: { params: idParams },
  responses: answers('The change', diffSchema),
})

export const mergeJobRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/merge',
  summary: 'Bring what a job landed into its base branch; 202 while checks run on the merged commit',
  request: { params: idParams },
  responses: startedAnswers('The merge', mergeSchema),
})

export const getMergeRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/merge',
  summary: 'Where that has got to',
  request: { params: idParams },
  responses: answers('The merge', mergeSchema),
})
