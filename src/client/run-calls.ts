import * as routes from '../contract/routes/run-routes.ts'
import type { Call } from './call-route.ts'
import type { CallOptions, RouteQuery } from './route-input.ts'

type RunOptions = CallOptions & RouteQuery<typeof routes.listRunsRoute>

export function runCalls(call: Call) {
  return {
    /** A job's runs, oldest first, or the newest of all jobs. */
    listRuns: ({ signal, ...query }: RunOptions = {}) => call(routes.listRunsRoute, { query, signal }),
    getRun: (id: string, options?: CallOptions) => call(routes.getRunRoute, { params: { id }, ...options }),
  }
}
