import { sql } from 'kysely'
import { type NewEvent, streamOf } from '../../../domain/event/event.ts'
import type { Scope } from './scope.ts'
import { storableJson } from './storable-json.ts'

/** The channel on which watchers hear that a stream grew; the payload is the stream's id. */
export const EVENT_CHANNEL = 'muster_events'

/**
 * Gives each event the next number of its stream. The stream's row stays locked until the commit, so
 * numbers are gapless and appear in order; rows are locked in one order everywhere, so writers cannot deadlock.
 */
export async function appendEvents(scope: Scope, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const counts = new Map<string, number>()
  for (const event of events) {
    const stream = streamOf(event)
    counts.set(stream, (counts.get(stream) ?? 0) + 1)
  }
  const ids = [...counts.keys()].sort()
  const sizes = ids.map((id) => counts.get(id) ?? 0)
  const reserved = await sql<{ id: string; seq: number }>`
    insert into streams (id, seq)
    select id, size from unnest(${ids}::text[], ${sizes}::bigint[]) as wanted (id, size) order by id
    on conflict (id) do update set seq = streams.seq + excluded.seq
    returning id, seq`.execute(scope.database)

  const next = new Map(reserved.rows.map((row) => [row.id, row.seq - (counts.get(row.id) ?? 0)]))
  const seqs = events.map((event) => {
    const stream = streamOf(event)
    const seq = (next.get(stream) ?? 0) + 1
    next.set(stream, seq)
    return seq
  })
  const { places, placeOf } = gatherPlaces(events)
  await sql`
    with stored as (
      insert into events (stream_id, seq, type, cycle, task_id, attempt_id, session_id, data)
      select place.job, event.seq, place.type, place.cycle, place.task, place.attempt, place.session, event.data
      from unnest(${placeOf}::int[], ${seqs}::bigint[],
        ${events.map((event) => storableJson(event.data))}::jsonb[]) as event (place, seq, data)
      join unnest(
        ${places.map(streamOf)}::text[], ${places.map((place) => place.type)}::text[],
        ${places.map((place) => place.cycle ?? null)}::int[],
        ${places.map((place) => place.taskId ?? null)}::text[],
        ${places.map((place) => place.attemptId ?? null)}::text[],
        ${places.map((place) => place.sessionId ?? null)}::text[]
      ) with ordinality as place (job, type, cycle, task, attempt, session, number)
        on place.number = event.place
    )
    select pg_notify(${EVENT_CHANNEL}, id) from unnest(${ids}::text[]) as grown (id)`.execute(scope.database)
}

type Places = { readonly places: readonly NewEvent[]; readonly placeOf: readonly number[] }

/** Thousands of lines belong to one session: what they share is sent once, and each says which it shares. */
function gatherPlaces(events: readonly NewEvent[]): Places {
  const numbers = new Map<string, number>()
  const places: NewEvent[] = []
  const placeOf = events.map((event) => {
    const key = `${event.jobId} ${event.type} ${event.cycle} ${event.taskId} ${event.attemptId} ${event.sessionId}`
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, places.push(event))
    return places.length
  })
  return { places, placeOf }
}
