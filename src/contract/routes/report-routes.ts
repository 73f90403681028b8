import { diffSchema, jobDiffQuerySchema } from '../diff.ts'
import { mergeRequestSchema, mergeSchema } from '../merge.ts'
import { pullRequestSchema } from '../pull-request.ts'
import { reportListSchema, reportQuerySchema } from '../report.ts'
import {
  answers,
  declareRoute,
  idParams,
  optionalJsonBody,
  personAccess,
  startedAnswers,
} from './declare-route.ts'

export const listReportsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/report',
  summary: 'Report what jobs did, with evidence: for one job, for a project, or for all, newest first',
  request: { query: reportQuerySchema },
  responses: answers('Reports', reportListSchema),
})

export const getTaskDiffRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/tasks/{id}/diff',
  summary: 'Get the change a task made, or would make',
  request: { params: idParams },
  responses: answers('The change', diffSchema),
})

export const getSessionDiffRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/sessions/{id}/diff',
  summary: 'Get the change a session made, once its work is collected',
  request: { params: idParams },
  responses: answers('The change', diffSchema),
})

export const getApprovalDiffRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/approvals/{id}/diff',
  summary: 'Get the change that lands if you allow the approval',
  request: { params: idParams },
  responses: answers('The change', diffSchema),
})

export const getJobDiffRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/diff',
  summary: 'Get everything a job has landed so far, without the task list',
  request: { params: idParams, query: jobDiffQuerySchema },
  responses: answers('The change', diffSchema),
})

export const mergeJobRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/merge',
  summary: 'Merge what a job landed into its base branch; 202 while checks run on the merged commit',
  request: { params: idParams, body: optionalJsonBody(mergeRequestSchema) },
  responses: startedAnswers('The merge', mergeSchema),
})

export const getMergeRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/merge',
  summary: 'Get the state of that merge',
  request: { params: idParams },
  responses: answers('The merge', mergeSchema),
})

export const getPullRequestRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/pull-request',
  summary: 'Show what a pull request of a job would contain; changes nothing',
  request: { params: idParams },
  responses: answers('The pull request', pullRequestSchema),
})

export const preparePullRequestRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/pull-request',
  summary: 'Prepare the commit and the text of a pull request; you push and open it yourself',
  request: { params: idParams, body: optionalJsonBody(mergeRequestSchema) },
  responses: answers('The pull request', pullRequestSchema),
})
