import * as routes from '../contract/routes/playbook-routes.ts'
import type { Call } from './call-route.ts'
import type { CallOptions, RouteQuery } from './route-input.ts'

type PlaybookOptions = CallOptions & RouteQuery<typeof routes.listPlaybooksRoute>
type ForecastOptions = PlaybookOptions & {
  readonly inputs?: Readonly<Record<string, string | number | boolean>>
}

export function playbookCalls(call: Call) {
  return {
    /** With `repositoryPath`, also the playbooks of that repository. */
    listPlaybooks: ({ signal, ...query }: PlaybookOptions = {}) =>
      call(routes.listPlaybooksRoute, { query, signal }),
    getPlaybook: (name: string, { signal, ...query }: PlaybookOptions = {}) =>
      call(routes.getPlaybookRoute, { params: { name }, query, signal }),
    /** What a run with these inputs is likely to take. */
    forecastPlaybook: (name: string, { signal, inputs, ...query }: ForecastOptions = {}) =>
      call(routes.forecastPlaybookRoute, {
        params: { name },
        query: { ...query, inputs: inputs && JSON.stringify(inputs) },
        signal,
      }),
    /** Reads the playbook of a folder, by its absolute path. */
    validatePlaybook: (path: string, options?: CallOptions) =>
      call(routes.validatePlaybookRoute, { body: { path }, ...options }),
    getPlaybookSchema: (options: CallOptions = {}) => call(routes.getPlaybookSchemaRoute, options),
  }
}
