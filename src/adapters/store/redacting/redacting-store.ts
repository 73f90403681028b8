import type { Redact } from '../../../domain/redaction/redact.ts'
import { redactValue } from '../../../domain/redaction/redact-value.ts'
import type { Records, Store } from '../../../ports/store/store.ts'
import { KEPT_FIELDS } from './kept-fields.ts'

/**
 * Redacts known secrets in rows, events and audit entries before the inner store sees them.
 *
 * Contract: values that the engine acts on are stored unchanged. They are what programs are started with and sent (a
 * job's plan except the inputs of its playbook, an agent, a session's purpose, the state of a conversation, inputs) and names
 * (paths, branches, commits, files, agents). A redacted key or path wouldn't work.
 */
export function createRedactingStore(store: Store, redact: Redact): Store {
  return {
    // Reading stores nothing.
    read: store.read,
    transact: (work) => store.transact((records) => work(wrapRecords(records, redact))),
    withJob: (jobId, work) => store.withJob(jobId, (records, job) => work(wrapRecords(records, redact), job)),
  }
}

/** Wraps functions when they are used, because a transaction calls only a few of nearly a hundred. */
function wrapRecords(records: Records, redact: Redact): Records {
  const note: Records['note'] = (change) => records.note(redactValue(change, redact))
  return new Proxy(records, {
    get: (_, noun: keyof Records) =>
      noun === 'note' ? note : wrapCalls(records[noun], KEPT_FIELDS[noun], redact),
  })
}

type Call = (...values: readonly unknown[]) => unknown
type Exception = { readonly except: readonly [string, string] }
type Kept = Readonly<Record<string, true | readonly string[] | Exception>>

function wrapCalls<Group extends object>(group: Group, kept: Kept, redact: Redact): Group {
  return new Proxy(group, {
    get(_, name): Call {
      const call = Reflect.get(group, name) as Call
      return (first, ...rest) =>
        call(nameOrRow(first, kept, redact), ...rest.map((value) => redactRow(value, kept, redact)))
    },
  })
}

/** A text in front names the row: an ID, or the path of a repository. */
function nameOrRow(value: unknown, kept: Kept, redact: Redact): unknown {
  return typeof value === 'string' ? value : redactRow(value, kept, redact)
}

function redactRow(value: unknown, kept: Kept, redact: Redact): unknown {
  if (Array.isArray(value)) return value.map((item) => redactRow(item, kept, redact))
  if (!isRecord(value)) return redactValue(value, redact)
  return redactFields(value, (key, field) => {
    const inside = Object.hasOwn(kept, key) ? kept[key] : undefined
    if (inside === true) return field
    if (inside === undefined || !isRecord(field)) return redactValue(field, redact)
    if ('except' in inside) return redactAt(field, inside.except, redact)
    return redactFields(field, (name, inner) => (inside.includes(name) ? inner : redactValue(inner, redact)))
  })
}

function redactAt(value: unknown, [name, ...deeper]: readonly string[], redact: Redact): unknown {
  if (name === undefined) return redactValue(value, redact)
  if (!isRecord(value)) return value
  return redactFields(value, (key, field) => (key === name ? redactAt(field, deeper, redact) : field))
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
