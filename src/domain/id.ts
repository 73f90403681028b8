import type { Brand } from './brand.ts'

/** Every stored thing has an id whose prefix says what it is. */
const ID_PREFIXES = {
  project: 'prj',
  job: 'job',
  cycle: 'cyc',
  task: 'tsk',
  attempt: 'att',
  session: 'ses',
  landing: 'lnd',
  candidate: 'cnd',
  message: 'msg',
  approval: 'apr',
} as const

export type IdKind = keyof typeof ID_PREFIXES
export type Id<Kind extends IdKind> = Brand<string, Kind>
export type ProjectId = Id<'project'>
export type JobId = Id<'job'>
export type CycleId = Id<'cycle'>
export type TaskId = Id<'task'>
export type AttemptId = Id<'attempt'>
export type SessionId = Id<'session'>
export type LandingId = Id<'landing'>
export type CandidateId = Id<'candidate'>
export type ApprovalId = Id<'approval'>
export type MessageId = Id<'message'>
/** What has a sequence of events of its own. */
export type StreamId = JobId | SessionId

const BODY = /^[0-9a-z]{20}$/

/** Unknown text to an id, or nothing: the only way text from outside becomes an id. */
export function parseId<Kind extends IdKind>(kind: Kind, text: string): Id<Kind> | undefined {
  const prefix = `${ID_PREFIXES[kind]}_`
  if (!text.startsWith(prefix)) return undefined
  return BODY.test(text.slice(prefix.length)) ? (text as Id<Kind>) : undefined
}

/** Which kind of thing an id names, for commands that take any id. */
export function kindOfId(text: string): IdKind | undefined {
  const kinds = Object.keys(ID_PREFIXES) as IdKind[]
  return kinds.find((kind) => parseId(kind, text) !== undefined)
}

/** Ids sort by the time they were made: nine digits of time, eleven of chance. */
export function formatId<Kind extends IdKind>(kind: Kind, now: number, random: Uint8Array): Id<Kind> {
  const time = now.toString(36).padStart(9, '0').slice(-9)
  const chance = Array.from(random.subarray(0, 11), (byte) => (byte % 36).toString(36)).join('')
  return `${ID_PREFIXES[kind]}_${time}${chance.padEnd(11, '0')}` as Id<Kind>
}
