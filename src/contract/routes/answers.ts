import type { z } from 'zod'
import { failureBodySchema, successSchema } from '../envelope.ts'

const failureAnswer = {
  description: 'What happened instead, in the same form for every failure',
  content: { 'application/json': { schema: failureBodySchema } },
}

/** The answers of a route that gives data. */
export function answers<Data extends z.ZodType>(description: string, data: Data) {
  return {
    200: { description, content: { 'application/json': { schema: successSchema(data) } } },
    default: failureAnswer,
  }
}

/** The answers of a route that makes something. */
export function creationAnswers<Data extends z.ZodType>(description: string, data: Data) {
  return {
    201: { description, content: { 'application/json': { schema: successSchema(data) } } },
    default: failureAnswer,
  }
}

/** The answers of a route that does something at once, or begins what takes its time. */
export function startedAnswers<Data extends z.ZodType>(description: string, data: Data) {
  const answer = { description, content: { 'application/json': { schema: successSchema(data) } } }
  return { 200: answer, 202: answer, default: failureAnswer }
}

/** The answers of a route that streams server-sent events, whose data has this form. */
export function streamAnswers<Data extends z.ZodType>(description: string, data: Data) {
  return {
    200: { description, content: { 'text/event-stream': { schema: data } } },
    default: failureAnswer,
  }
}
