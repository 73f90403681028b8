export * from '../client/index.ts'
export { createMuster, type MusterOptions } from './create-muster.ts'
export { atMost, type DefinedPlaybook, definePlaybook } from './define-playbook.ts'
export type { JobOptions as StartJobOptions, Muster, StartOptions } from './muster.ts'
export { MusterError } from './muster-error.ts'
export type { JobResult, MusterJob } from './muster-job.ts'
export { Orchestrator } from './orchestrator/orchestrator.ts'
export type { OrchestratorConfig } from './orchestrator/orchestrator-config.ts'
export type {
  ManagedAgent,
  OrchestratorEvent,
  OrchestratorSession,
  SessionResult,
} from './orchestrator/orchestrator-session.ts'
export type { PlaybookDefinition } from './playbook-definition.ts'
