import { backupRequestSchema, backupSchema } from '../backup.ts'
import { answers, declareRoute, jsonBody, personAccess } from './declare-route.ts'

export const startBackupRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/backup',
  summary: 'Start copying all records and repositories into one file; agents keep working',
  request: { body: jsonBody(backupRequestSchema) },
  responses: answers('The backup has started', backupSchema),
})

export const getBackupRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/backup',
  summary: 'Get the state of the last backup since the daemon started',
  responses: answers('The backup', backupSchema),
})
