import type { NamedKind } from '../../domain/short-id.ts'
import type { CommandName } from '../command-help.ts'

/** What the first argument of a command names. */
export const ARGUMENT_KINDS: Readonly<Partial<Record<CommandName, readonly NamedKind[]>>> = {
  answer: ['message', 'task'],
  approve: ['approval', 'task'],
  artifacts: ['run', 'task', 'job'],
  ask: ['session'],
  attach: ['session'],
  base: ['job'],
  cancel: ['job'],
  decisions: ['run', 'task', 'job'],
  clean: ['run', 'job'],
  delete: ['job', 'run'],
  deny: ['approval', 'task'],
  diff: ['task', 'session', 'job', 'approval'],
  edit: ['job'],
  events: ['job', 'task', 'run', 'session'],
  export: ['run', 'task', 'job'],
  findings: ['run', 'task', 'job'],
  fork: ['run'],
  interrupt: ['session', 'task'],
  kill: ['session', 'run', 'job'],
  logs: ['job', 'task', 'run', 'session'],
  merge: ['job'],
  messages: ['run', 'task', 'job', 'session', 'message'],
  pause: ['job'],
  pr: ['job'],
  recover: ['attempt', 'task', 'session', 'run', 'job'],
  report: ['job', 'project'],
  resume: ['job', 'session', 'run'],
  send: ['session', 'task', 'run'],
  show: ['job', 'task', 'session', 'landing', 'run', 'approval'],
  status: ['job', 'run'],
  stop: ['session', 'run', 'job'],
  suspend: ['session', 'task'],
  watch: ['job', 'run'],
}

/** Commands whose first argument is a file or a directory. */
export const FILE_COMMANDS: ReadonlySet<string> = new Set(['backup', 'restore', 'trust'])

/** Commands whose first argument may also be a role of the newest run. */
export const ROLE_COMMANDS: ReadonlySet<string> = new Set(['attach', 'logs'])
