import { z } from 'zod'

/** Where a client of a stream has come to: the header of one that comes back, or a parameter. */
export const streamPlace = {
  headers: z.object({ 'last-event-id': z.string().max(64).optional() }),
  query: z.object({ after: z.string().max(64).optional() }),
}
