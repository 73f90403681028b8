import { pageSchema } from '../envelope.ts'
import { forecastQuerySchema, playbookForecastSchema } from '../forecast.ts'
import {
  playbookJsonSchemaSchema,
  playbookParams,
  playbookQuerySchema,
  playbookViewSchema,
  validatePlaybookRequestSchema,
} from '../playbook.ts'
import { answers, declareRoute, jsonBody, personAccess } from './declare-route.ts'

export const listPlaybooksRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/playbooks',
  summary: 'List the playbooks of a repository, your own and those shipped with Muster, valid or not',
  request: { query: playbookQuerySchema },
  responses: answers('The playbooks', pageSchema(playbookViewSchema)),
})

export const getPlaybookRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/playbooks/{name}',
  summary: 'Show one playbook, or what is wrong with it',
  request: { params: playbookParams, query: playbookQuerySchema },
  responses: answers('The playbook', playbookViewSchema),
})

export const forecastPlaybookRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/playbooks/{name}/forecast',
  summary: 'Show what a run of a playbook is likely to cost and take, from what earlier runs did',
  request: { params: playbookParams, query: forecastQuerySchema },
  responses: answers('The forecast', playbookForecastSchema),
})

export const validatePlaybookRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/playbooks/validate',
  summary: 'Read the playbook of a folder, and report everything that is wrong with it',
  request: { body: jsonBody(validatePlaybookRequestSchema) },
  responses: answers('The playbook or its faults', playbookViewSchema),
})

export const getPlaybookSchemaRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/playbook-schema',
  summary: 'Show the JSON Schema of playbook.yaml, for editors',
  responses: answers('The JSON Schema', playbookJsonSchemaSchema),
})
