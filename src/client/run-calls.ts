import * as routes from '../contract/routes/run-routes.ts'
import type { WireForkRequest } from '../contract/run.ts'
import type { Call } from './call-route.ts'
import type { CallOptions, RouteQuery } from './route-input.ts'

/** The programs of all agents are asked whether they can work. */
const START_TIMEOUT_MS = 5 * 60_000

type KeyedOptions = CallOptions & { readonly idempotencyKey?: string | undefined }
type RunOptions = CallOptions & RouteQuery<typeof routes.listRunsRoute>

type ReasonOptions = CallOptions & { readonly reason?: string | undefined }
type SummaryOptions = CallOptions & RouteQuery<typeof routes.getRunResultRoute>
type CompareOptions = CallOptions & RouteQuery<typeof routes.compareRunsRoute>
type ResultOptions = CallOptions & RouteQuery<typeof routes.listFindingsRoute>

export function runCalls(call: Call) {
  return {
    /** A job's runs, oldest first, or the newest of all jobs. */
    listRuns: ({ signal, ...query }: RunOptions = {}) => call(routes.listRunsRoute, { query, signal }),
    /** Starts a job that continues from a visit of the run. */
    forkRun: (id: string, request: WireForkRequest, options?: KeyedOptions) =>
      call(routes.forkRunRoute, { params: { id }, body: request, ...options, timeoutMs: START_TIMEOUT_MS }),
    /** Returns the job that continues the run. */
    resumeRun: (id: string, options?: KeyedOptions) =>
      call(routes.resumeRunRoute, { params: { id }, ...options, timeoutMs: START_TIMEOUT_MS }),
    /** Changes nothing if the run has ended. */
    stopRun: (id: string, { signal, ...body }: ReasonOptions = {}) =>
      call(routes.stopRunRoute, { params: { id }, body, signal }),
    /** The same, and kills its programs, even those that are still exiting. */
    killRun: (id: string, { signal, ...body }: ReasonOptions = {}) =>
      call(routes.killRunRoute, { params: { id }, body, signal }),
    /** The playbook as it was when the run started. */
    getRunPlaybook: (id: string, options?: CallOptions) =>
      call(routes.getRunPlaybookRoute, { params: { id }, ...options }),
    /** Everything that a run came to; with `format: 'markdown'`, as a document too. */
    getRunResult: (id: string, { signal, ...query }: SummaryOptions = {}) =>
      call(routes.getRunResultRoute, { params: { id }, query, signal }),
    /** Compares the run with another one; with `patch: 'true'`, also the texts of their results. */
    compareRuns: (id: string, { signal, ...query }: CompareOptions) =>
      call(routes.compareRunsRoute, { params: { id }, query, signal }),
    listFindings: (id: string, { signal, ...query }: ResultOptions = {}) =>
      call(routes.listFindingsRoute, { params: { id }, query, signal }),
    listArtifacts: (id: string, { signal, ...query }: ResultOptions = {}) =>
      call(routes.listArtifactsRoute, { params: { id }, query, signal }),
    listDecisions: (id: string, { signal, ...query }: ResultOptions = {}) =>
      call(routes.listDecisionsRoute, { params: { id }, query, signal }),
    getRun: (id: string, options?: CallOptions) => call(routes.getRunRoute, { params: { id }, ...options }),
  }
}
