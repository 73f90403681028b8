import type { Context } from 'hono'
import type { ApiFailure } from '../contract/failure/api-failure.ts'
import type { Result } from '../domain/result.ts'
import { refuse } from './refuse.ts'

/** The envelope of every answer that went well. */
export function succeed<Data>(data: Data): { success: true; data: Data } {
  return { success: true, data }
}

/** Renders what a command or a query returned, or refuses with its failure. */
export function answer<Value, Data>(
  context: Context,
  result: Result<Value, ApiFailure>,
  render: (value: Value) => Data,
) {
  if (!result.ok) return refuse(context, result.failure)
  return context.json(succeed(render(result.value)), 200)
}

/** The same for something new. */
export function answerCreated<Value, Data>(
  context: Context,
  result: Result<Value, ApiFailure>,
  render: (value: Value) => Data,
) {
  if (!result.ok) return refuse(context, result.failure)
  return context.json(succeed(render(result.value)), 201)
}
