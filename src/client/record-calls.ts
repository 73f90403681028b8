import { pageSchema } from '../contract/envelope.ts'
import { landingSchema } from '../contract/landing.ts'
import { projectSchema } from '../contract/project.ts'
import { taskDetailSchema, taskSchema } from '../contract/task.ts'
import { callJson } from './call-json.ts'
import type { CallNeeds } from './call-needs.ts'
import type { MusterClient } from './muster-client.ts'

type RecordCalls = Pick<MusterClient, 'listProjects' | 'listTasks' | 'getTask' | 'listLandings'>

export function recordCalls(needs: CallNeeds): RecordCalls {
  const method = 'GET'
  return {
    listProjects: ({ signal, ...query } = {}) =>
      callJson(needs, { method, path: '/api/projects', query, data: pageSchema(projectSchema), signal }),
    listTasks: ({ signal, ...query } = {}) =>
      callJson(needs, { method, path: '/api/tasks', query, data: pageSchema(taskSchema), signal }),
    getTask: (taskId, { signal } = {}) =>
      callJson(needs, { method, path: pathOf('tasks', taskId), data: taskDetailSchema, signal }),
    listLandings: ({ signal, ...query }) =>
      callJson(needs, { method, path: '/api/landings', query, data: pageSchema(landingSchema), signal }),
  }
}

function pathOf(noun: string, id: string): string {
  return `/api/${noun}/${encodeURIComponent(id)}`
}
