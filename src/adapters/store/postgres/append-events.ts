import { sql } from 'kysely'
import { type NewEvent, streamOf } from '../../../domain/event/event.ts'
import { jsonbText } from './jsonb-text.ts'
import type { Scope } from './scope.ts'

/** The channel that announces new events in a stream. The payload is the stream's id. */
export const EVENT_CHANNEL = 'muster_events'

/**
 * Gives each event the next number of its stream, in one statement. The stream's row stays locked until the commit, so
 * numbers have no gaps and appear in order. All writers lock rows in the same order, so they can't deadlock.
 */
export async function appendEvents(scope: Scope, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const sizes = new Map<string, number>()
  const offsets = events.map((event) => {
    const stream = streamOf(event)
    const offset = (sizes.get(stream) ?? 0) + 1
    sizes.set(stream, offset)
    return offset
  })
  const { places, placeOf } = gatherPlaces(events)
  await sql`
    with wanted as (
      select id, size from unnest(${[...sizes.keys()]}::text[], ${[...sizes.values()]}::bigint[]) as stream (id, size)
    ), reserved as (
      insert into streams (id, seq) select id, size from wanted order by id
      on conflict (id) do update set seq = streams.seq + excluded.seq
      returning id, seq
    ), stored as (
      insert into events (stream_id, seq, type, cycle, task_id, attempt_id, session_id, data)
      select place.job, reserved.seq - wanted.size + event.number, place.type, place.cycle, place.task, place.attempt,
        place.session, event.data::jsonb
      from rows from (
        unnest(${placeOf}::int[]), unnest(${offsets}::bigint[]), string_to_table(${dataLines(events)}, chr(10))
      ) with ordinality as event (place, number, data, position)
      join unnest(
        ${places.map(streamOf)}::text[], ${places.map((place) => place.type)}::text[],
        ${places.map((place) => place.cycle ?? null)}::int[],
        ${places.map((place) => place.taskId ?? null)}::text[],
        ${places.map((place) => place.attemptId ?? null)}::text[],
        ${places.map((place) => place.sessionId ?? null)}::text[]
      ) with ordinality as place (job, type, cycle, task, attempt, session, number)
        on place.number = event.place
      join reserved on reserved.id = place.job
      join wanted on wanted.id = place.job
      order by event.position
    )
    select pg_notify(${EVENT_CHANNEL}, id) from wanted`.execute(scope.database)
}

/** One line per event: JSON has no line breaks, and an array of texts would have every quote in them escaped. */
function dataLines(events: readonly NewEvent[]): string {
  return events.map((event) => jsonbText(event.data)).join('\n')
}

type Places = { readonly places: readonly NewEvent[]; readonly placeOf: readonly number[] }

/** Thousands of lines may belong to one session. The fields they share are sent once, and each line refers to them. */
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
