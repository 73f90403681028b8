import type { Context } from 'hono'
import type { EdgeFailure } from '../../contract/failure/api-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'

type BadRequest = Extract<EdgeFailure, { readonly type: 'bad-request' }>

const SEQUENCE = /^\d{1,15}$/
/** What the feed gives out as cursors: numbers and dots, none too large for the database. */
const CURSOR = /^\d{1,18}(\.\d{1,18}){0,2}$/

/** The sequence a client of a job's stream has come to; 0 for the beginning. */
export function lastSequence(context: Context): Result<number, BadRequest> {
  const text = lastEventId(context) ?? ''
  if (text === '') return success(0)
  return SEQUENCE.test(text) ? success(Number(text)) : bad('is not the id of an event of this stream')
}

/** The cursor a client of the feed has come to; empty for the beginning, absent for only what is new. */
export function lastCursor(context: Context): Result<string | undefined, BadRequest> {
  const text = lastEventId(context)
  if (text === undefined || text === '') return success(text)
  return CURSOR.test(text) ? success(text) : bad('is not the id of an event of this stream')
}

/** A browser that comes back keeps its address and adds the header, so the header is the newer of the two. */
function lastEventId(context: Context): string | undefined {
  return context.req.header('last-event-id') || context.req.query('after')
}

function bad(problem: string): Result<never, BadRequest> {
  return failure({ type: 'bad-request', issues: [{ field: 'last-event-id', problem }] })
}
