import type { Redact } from '../../../domain/redaction/redact.ts'
import { redactValue } from '../../../domain/redaction/redact-value.ts'
import type { Records, Store } from '../../../ports/store/store.ts'

/**
 * A store that is given no secrets: rows, events and audit entries pass through one redaction on their way in.
 *
 * Contract: what the engine acts on is kept as it is. That is what programs are started and spoken with (a job's plan,
 * an agent with its environment, a session's purpose, the state of a conversation, inputs), and what things are called
 * (paths, branches, commits, files, agents): a redacted key opens nothing, and a redacted path leads nowhere.
 */
export function createRedactingStore(store: Store, redact: Redact): Store {
  return {
    read: wrapRecords(store.read, redact),
    transact: (work) => store.transact((records) => work(wrapRecords(records, redact))),
    withJob: (jobId, work) => store.withJob(jobId, (records, job) => work(wrapRecords(records, redact), job)),
  }
}

/** Wrapped as they are used: a transaction calls a few of nearly a hundred functions. */
function wrapRecords(records: Records, redact: Redact): Records {
  return new Proxy(records, {
    get: (_, noun: keyof Records) => wrapCalls(records[noun], redact),
  })
}

type Call = (...values: readonly unknown[]) => unknown

function wrapCalls<Group extends object>(group: Group, redact: Redact): Group {
  return new Proxy(group, {
    get(_, name): Call {
      const call = Reflect.get(group, name) as Call
      // What is said to a program reaches it as it was said; it is the second of these.
      const isKept = (index: number) => name === 'addInput' && index === 1
      return (...values) =>
        call(...values.map((value, index) => (isKept(index) ? value : redactRecord(value, redact))))
    },
  })
}

/** Fields of a record that are kept; a field of the same name deeper inside, which an agent may have written, is not. */
const KEPT = new Set([
  'plan',
  'agent',
  'purpose',
  'path',
  'name',
  'repositoryPath',
  'userId',
  'agentName',
  'provider',
  'role',
  'branch',
  'baseBranch',
  'workingBranch',
  'baseCommit',
  'onto',
  'commit',
  'tree',
  'tip',
  'startFrom',
  'files',
  'filesModified',
  'commitsMade',
  'digest',
])
const KEPT_INSIDE: Readonly<Record<string, ReadonlySet<string>>> = {
  talk: new Set(['dialogue', 'unsaid', 'providerSessionId']),
  state: new Set(['type', 'resume', 'paths', 'commit', 'tree']),
}

function redactRecord(value: unknown, redact: Redact): unknown {
  if (Array.isArray(value)) return value.map((item) => redactRecord(item, redact))
  if (!isRecord(value)) return redactValue(value, redact)
  return redactFields(value, (key, field) => {
    if (KEPT.has(key)) return field
    const keptInside = KEPT_INSIDE[key]
    return keptInside !== undefined && isRecord(field)
      ? redactFields(field, (name, inner) => (keptInside.has(name) ? inner : redactValue(inner, redact)))
      : redactValue(field, redact)
  })
}

function redactFields(
  fields: Readonly<Record<string, unknown>>,
  redactField: (key: string, value: unknown) => unknown,
): object {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, redactField(key, value)]))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
}
