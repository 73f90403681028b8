/**
 * What an Orchestrator can be told. Fields marked as "no effect" exist so that programs written for such a class compile;
 * Muster has nothing that they could change.
 */
export type OrchestratorConfig = {
  /** Starts of the same id are one job. The id of the job itself is `sessionId` afterwards. */
  readonly sessionId?: string
  /** No effect: nothing is polled. */
  readonly monitorInterval?: number
  /** No effect: `minutes` of a stage limits its visits. */
  readonly agentTimeout?: number
  /** Milliseconds that the job may run. */
  readonly workflowTimeout?: number
  /** Whether the orchestrator closes its home when the job has ended. */
  readonly autoCleanup?: boolean
  /** No effect: output is always stored. */
  readonly captureOutput?: boolean
  /** Whether every event is also written to standard error. */
  readonly verboseLogging?: boolean
  /** How many tasks a job works on at once. `limits.parallel` of a playbook limits the agents of its run. */
  readonly maxAgents?: number
  /** No effect: `recover` of a playbook says how often something is tried again. */
  readonly maxRetries?: number
}

const DEFAULTS: Required<OrchestratorConfig> = {
  sessionId: '',
  monitorInterval: 5_000,
  agentTimeout: 300_000,
  workflowTimeout: 1_800_000,
  autoCleanup: true,
  captureOutput: true,
  verboseLogging: false,
  maxAgents: 4,
  maxRetries: 3,
}

type Environment = Readonly<Record<string, string | undefined>>

/** The given fields, then those of the environment, then the defaults. */
export function completeConfig(
  given: OrchestratorConfig,
  environment: Environment,
): Required<OrchestratorConfig> {
  const number = (name: string, otherwise: number) => {
    const value = Number(environment[name] ?? '')
    return Number.isFinite(value) && value > 0 ? value : otherwise
  }
  const timeout = number('MUSTER_DEFAULT_TIMEOUT', DEFAULTS.workflowTimeout)
  return {
    ...DEFAULTS,
    monitorInterval: number('MUSTER_MONITOR_INTERVAL', DEFAULTS.monitorInterval),
    agentTimeout: number('MUSTER_AGENT_TIMEOUT', DEFAULTS.agentTimeout),
    workflowTimeout: number('MUSTER_WORKFLOW_TIMEOUT', timeout),
    maxRetries: number('MUSTER_MAX_RETRIES', DEFAULTS.maxRetries),
    verboseLogging: environment['MUSTER_VERBOSE'] === '1',
    ...given,
  }
}
