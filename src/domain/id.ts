declare const brand: unique symbol

/** A plain value that the compiler distinguishes from others of the same type. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name }

/** Everything stored has an id whose prefix names its kind. */
const ID_PREFIXES = {
  project: 'prj',
  job: 'job',
  cycle: 'cyc',
  task: 'tsk',
  attempt: 'att',
  session: 'ses',
  landing: 'lnd',
  candidate: 'cnd',
  baseline: 'bas',
  message: 'msg',
  approval: 'apr',
  'approval-rule': 'rul',
  run: 'run',
  visit: 'vis',
} as const

export type IdKind = keyof typeof ID_PREFIXES
export const ID_KINDS = Object.keys(ID_PREFIXES) as readonly IdKind[]
export type Id<Kind extends IdKind> = Brand<string, Kind>
export type ProjectId = Id<'project'>
export type JobId = Id<'job'>
export type CycleId = Id<'cycle'>
export type TaskId = Id<'task'>
export type AttemptId = Id<'attempt'>
export type SessionId = Id<'session'>
export type LandingId = Id<'landing'>
export type CandidateId = Id<'candidate'>
export type BaselineId = Id<'baseline'>
export type ApprovalId = Id<'approval'>
export type ApprovalRuleId = Id<'approval-rule'>
export type MessageId = Id<'message'>
export type RunId = Id<'run'>
export type VisitId = Id<'visit'>
/** Whatever has its own sequence of events. */
export type StreamId = JobId | SessionId

const BODY = /^[0-9a-z]{20}$/

/** Parses text from outside into an id. This is the only way such text becomes an id. */
export function parseId<Kind extends IdKind>(kind: Kind, text: string): Id<Kind> | undefined {
  const prefix = `${ID_PREFIXES[kind]}_`
  if (!text.startsWith(prefix)) return undefined
  return BODY.test(text.slice(prefix.length)) ? (text as Id<Kind>) : undefined
}

/** The kind of an id, for commands that accept any id. */
export function kindOfId(text: string): IdKind | undefined {
  return ID_KINDS.find((kind) => parseId(kind, text) !== undefined)
}

/** What comes before the underscore of an id. */
export function idPrefix(kind: IdKind): string {
  return ID_PREFIXES[kind]
}

/** The digits of time at the start of an id. */
export const ID_TIME_DIGITS = 9

/** Ids sort by creation time: nine digits of time, then eleven random ones. */
export function formatId<Kind extends IdKind>(kind: Kind, now: number, random: Uint8Array): Id<Kind> {
  const time = now.toString(36).padStart(ID_TIME_DIGITS, '0').slice(-ID_TIME_DIGITS)
  const suffix = Array.from(random.subarray(0, 11), (byte) => (byte % 36).toString(36)).join('')
  return `${ID_PREFIXES[kind]}_${time}${suffix.padEnd(11, '0')}` as Id<Kind>
}
