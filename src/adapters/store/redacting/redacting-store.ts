import type { Redact } from '../../../domain/redaction/redact.ts'
import { redactValue } from '../../../domain/redaction/redact-value.ts'
import type { Records, Store } from '../../../ports/store/store.ts'

/**
 * Redacts known secrets in rows, events and audit entries before the inner store sees them.
 *
 * Contract: values that the engine acts on are stored unchanged. They are what programs are started with and sent (a
 * job's plan, an agent, a session's purpose, the state of a conversation, inputs) and names
 * (paths, branches, commits, files, agents). A redacted key or path wouldn't work.
 */
export function createRedactingStore(store: Store, redact: Redact): Store {
  return {
    read: wrapRecords(store.read, redact),
    transact: (work) => store.transact((records) => work(wrapRecords(records, redact))),
    withJob: (jobId, work) => store.withJob(jobId, (records, job) => work(wrapRecords(records, redact), job)),
  }
}

/** Wraps functions when they are used, because a transaction calls only a few of nearly a hundred. */
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
      // The second parameter of `addInput` is the text for the program, which must arrive unchanged.
      const isKept = (index: number) => name === 'addInput' && index === 1
      return (...values) =>
        call(...values.map((value, index) => (isKept(index) ? value : redactRecord(value, redact))))
    },
  })
}

/**
 * Top-level fields that are stored unchanged. A nested field of the same name may come from an agent, so it's redacted.
 */
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
  conversation: new Set(['dialogue', 'lastInput', 'providerSessionId']),
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
